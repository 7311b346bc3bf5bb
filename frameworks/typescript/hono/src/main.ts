import { serve } from '@hono/node-server';

import { environment } from '../../shared/environment.js';
import { inEachWorker } from '../../shared/workers.js';
import { app } from './app.js';

async function start(): Promise<void> {
  const server = serve({
    fetch: app.fetch,
    port: environment.port,
    hostname: '0.0.0.0',
  });

  // server.close() alone would wait for clients that keep their connections.
  process.once('SIGTERM', () => {
    server.close();
    process.exit();
  });
}

await inEachWorker(start);
