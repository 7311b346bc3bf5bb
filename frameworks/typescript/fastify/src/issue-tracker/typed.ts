import {
  type FastifyPluginAsyncTypebox,
  Type,
} from '@fastify/type-provider-typebox';

import type { DataSource } from '../../../shared/source.js';
import { Int32 } from '../schemas.js';
import { Board, Task, TaskIn, type TaskRow, User } from './schemas.js';

const params = Type.Object({ id: Int32 });

export const typed: FastifyPluginAsyncTypebox<{ source: DataSource }> = async (
  fastify,
  { source },
) => {
  fastify.get(
    '/userinfo/typed/:id',
    { schema: { params, response: { 200: User } } },
    async (request) => {
      const user = (await source.user()) as User;
      return { ...user, sub: `${user.sub}-${request.params.id}` };
    },
  );

  fastify.get(
    '/sprint/typed/:id',
    { schema: { params, response: { 200: Board } } },
    async (request) => {
      const board = (await source.sprint()) as Board;
      return { ...board, sprint: { ...board.sprint, id: request.params.id } };
    },
  );

  fastify.post(
    '/board/typed/:id/task',
    { schema: { params, body: TaskIn, response: { 201: Task } } },
    async (request, reply) => {
      const task = (await source.task()) as TaskRow;
      reply.code(201);
      return { ...task, ...request.body, board: request.params.id };
    },
  );

  fastify.put(
    '/board/typed/:id/task',
    { schema: { params, body: TaskIn, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await source.saveTask(request.body);
      return reply.code(204).send(null);
    },
  );
};
