import {
  type FastifyPluginAsyncTypebox,
  Type,
} from '@fastify/type-provider-typebox';

import { raw } from './raw.js';
import { typed } from './typed.js';

const Label = Type.Object({ label: Type.String() });

export const workload: FastifyPluginAsyncTypebox = async (fastify) => {
  fastify.get('/status', async () => 'OK');

  fastify.get(
    '/labels/:label',
    { schema: { params: Label } },
    async ({ params }) => params.label,
  );

  fastify.register(raw);
  fastify.register(typed);
};
