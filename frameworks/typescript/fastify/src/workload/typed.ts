import {
  type FastifyPluginAsyncTypebox,
  Type,
} from '@fastify/type-provider-typebox';

import { wait } from '../../../shared/wait.js';
import { greeting, TIMED_MS } from '../../../shared/work.js';

const Payload = Type.Object({ payload: Type.String() });

const schema = { body: Payload, response: { 200: Payload } };

export const typed: FastifyPluginAsyncTypebox = async (fastify) => {
  fastify.post('/simple/typed', { schema }, async ({ body }) => ({
    payload: greeting(body.payload),
  }));

  fastify.post('/timed/typed', { schema }, async ({ body }) => {
    await wait(TIMED_MS);
    return { payload: greeting(body.payload) };
  });
};
