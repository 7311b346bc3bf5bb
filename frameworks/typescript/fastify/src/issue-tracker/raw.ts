import createError from '@fastify/error';
import {
  type FastifyPluginAsyncTypebox,
  Type,
} from '@fastify/type-provider-typebox';

import { TASK_FIELDS } from '../../../shared/models.js';
import type { DataSource } from '../../../shared/source.js';
import { Int32 } from '../schemas.js';

const IncompleteTask = createError('INCOMPLETE_TASK', 'missing: %s', 400);

const schema = { params: Type.Object({ id: Int32 }) };

export const raw: FastifyPluginAsyncTypebox<{ source: DataSource }> = async (
  fastify,
  { source },
) => {
  fastify.get('/userinfo/raw/:id', { schema }, async ({ params }) => {
    const user = await source.plainUser();
    user.sub = `${user.sub}-${params.id}`;
    return user;
  });

  fastify.get('/sprint/raw/:id', { schema }, async ({ params }) => {
    const board = await source.plainBoard();
    board.sprint.id = params.id;
    return board;
  });

  fastify.post('/board/raw/:id/task', { schema }, async (request, reply) => {
    const sent = taskIn(request.body);
    const task = await source.plainTask();
    reply.code(201);
    return Object.assign(task, sent, { board: request.params.id });
  });

  fastify.put('/board/raw/:id/task', { schema }, async (request, reply) => {
    await source.saveTask(taskIn(request.body));
    return reply.code(204).send();
  });
};

/** Returns the fields of a task in a body. Other fields are ignored. */
function taskIn(body: unknown): object {
  const sent = Object(body);
  const missing = TASK_FIELDS.filter((field) => !Object.hasOwn(sent, field));
  if (missing.length > 0) {
    throw new IncompleteTask(missing.join(', '));
  }
  return Object.fromEntries(TASK_FIELDS.map((field) => [field, sent[field]]));
}
