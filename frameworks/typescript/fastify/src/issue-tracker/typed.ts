import {
  type FastifyPluginAsyncTypebox,
  Type,
} from '@fastify/type-provider-typebox';

import { Board, Task, TaskIn, User } from '../../../shared/models.js';
import type { DataSource } from '../../../shared/source.js';
import { Int32 } from '../schemas.js';

const params = Type.Object({ id: Int32 });

export const typed: FastifyPluginAsyncTypebox<{ source: DataSource }> = async (
  fastify,
  { source },
) => {
  fastify.get(
    '/userinfo/typed/:id',
    { schema: { params, response: { 200: User.schema } } },
    async (request) => {
      const user = await source.typedUser();
      user.sub = `${user.sub}-${request.params.id}`;
      return user;
    },
  );

  fastify.get(
    '/sprint/typed/:id',
    { schema: { params, response: { 200: Board.schema } } },
    async (request) => {
      const board = await source.typedBoard();
      board.sprint.id = request.params.id;
      return board;
    },
  );

  fastify.post(
    '/board/typed/:id/task',
    { schema: { params, body: TaskIn, response: { 201: Task.schema } } },
    async (request, reply) => {
      const task = await source.typedTask();
      reply.code(201);
      return Object.assign(task, request.body, { board: request.params.id });
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
