import createError from '@fastify/error';
import {
  type FastifyPluginAsyncTypebox,
  Type,
} from '@fastify/type-provider-typebox';

import { type Row, TASK_FIELDS } from '../../../shared/rows.js';
import type { DataSource } from '../../../shared/source.js';
import { Int32 } from '../schemas.js';

const IncompleteTask = createError('INCOMPLETE_TASK', 'missing: %s', 400);

const schema = { params: Type.Object({ id: Int32 }) };

export const raw: FastifyPluginAsyncTypebox<{ source: DataSource }> = async (
  fastify,
  { source },
) => {
  fastify.get('/userinfo/raw/:id', { schema }, async ({ params }) => {
    const user = await source.user();
    return { ...user, sub: `${user.sub}-${params.id}` };
  });

  fastify.get('/sprint/raw/:id', { schema }, async ({ params }) => {
    const board = await source.sprint();
    return { ...board, sprint: { ...board.sprint, id: params.id } };
  });

  fastify.post('/board/raw/:id/task', { schema }, async (request, reply) => {
    const sent = taskIn(request.body);
    const task = await source.task();
    reply.code(201);
    return { ...task, ...sent, board: request.params.id };
  });

  fastify.put('/board/raw/:id/task', { schema }, async (request, reply) => {
    await source.saveTask(taskIn(request.body));
    return reply.code(204).send(null);
  });
};

/** Returns the fields of a task in a body. Other fields are ignored. */
function taskIn(body: unknown): Row {
  const sent = Object(body) as Row;
  const missing = TASK_FIELDS.filter((field) => !Object.hasOwn(sent, field));
  if (missing.length > 0) {
    throw new IncompleteTask(missing.join(', '));
  }
  return Object.fromEntries(TASK_FIELDS.map((field) => [field, sent[field]]));
}
