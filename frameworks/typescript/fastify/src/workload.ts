import {
  type FastifyPluginAsyncTypebox,
  Type,
} from '@fastify/type-provider-typebox';

import { wait } from '../../shared/wait.js';
import {
  greeting,
  hashPassword,
  PROCESSING_MS,
  PROCESSING_NOTE,
  TIMED_MS,
} from '../../shared/work.js';

const Payload = Type.Object({ payload: Type.String() });
const Message = Type.Object({ message: Type.String() });
const Handled = Type.Object({ message: Type.String(), note: Type.String() });
const Label = Type.Object({ label: Type.String() });

export const workload: FastifyPluginAsyncTypebox = async (fastify) => {
  const schema = { body: Payload, response: { 200: Payload } };

  fastify.post('/simple', { schema }, async ({ body }) => ({
    payload: greeting(body.payload),
  }));

  fastify.post('/timed', { schema }, async ({ body }) => {
    await wait(TIMED_MS);
    return { payload: greeting(body.payload) };
  });

  fastify.post('/bcrypt', { schema }, async ({ body }) => ({
    payload: await hashPassword(body.payload),
  }));

  fastify.get('/status', async () => 'OK');

  fastify.get(
    '/labels/:label',
    { schema: { params: Label } },
    async ({ params }) => params.label,
  );

  fastify.post(
    '/',
    { schema: { body: Message, response: { 200: Handled } } },
    async ({ body }) => {
      await wait(PROCESSING_MS);
      return { message: body.message, note: PROCESSING_NOTE };
    },
  );
};
