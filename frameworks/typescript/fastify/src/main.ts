import Fastify from 'fastify';

import { environment } from '../../shared/environment.js';
import { inEachWorker } from '../../shared/workers.js';
import { app } from './app.js';
import { validatorCompiler } from './validator.js';

async function start(): Promise<void> {
  const fastify = Fastify({ forceCloseConnections: true });
  fastify.setValidatorCompiler(validatorCompiler);
  fastify.register(app);

  process.once('SIGTERM', async () => {
    await fastify.close();
    process.exit();
  });
  await fastify.listen({ port: environment.port, host: '0.0.0.0' });
}

await inEachWorker(start);
