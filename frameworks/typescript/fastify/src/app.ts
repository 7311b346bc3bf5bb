import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import {
  type FastifyPluginAsyncTypebox,
  Type,
} from '@fastify/type-provider-typebox';

import { issueTracker } from './issue-tracker/issue-tracker.js';
import { registry } from './registry/registry.js';
import { Int32 } from './schemas.js';
import { workload } from './workload/workload.js';

const Part = Type.Object({ part: Int32 });

export const app: FastifyPluginAsyncTypebox = async (fastify) => {
  // It describes the routes that are registered after it.
  await fastify.register(fastifySwagger, {
    openapi: { info: { title: 'restbench', version: '1.0.0' } },
  });
  fastify.register(fastifySwaggerUi, { routePrefix: '/docs' });

  fastify.get('/hello_world', async () => 'Hello World');

  for (const method of ['GET', 'POST', 'PUT'] as const) {
    for (let n = 0; n < 10; n++) {
      fastify.route({
        method,
        url: `/route-${method.toLowerCase()}-${n}/:part`,
        schema: { params: Part, response: { 200: Part } },
        handler: async (request) => request.params,
      });
    }
  }

  fastify.register(issueTracker, { prefix: '/api/v1' });
  fastify.register(workload, { prefix: '/test' });
  fastify.register(registry);
};
