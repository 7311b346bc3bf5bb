import { environment } from '../../shared/environment.js';
import { inEachWorker } from '../../shared/workers.js';
import { createApp } from './app.js';

async function start(): Promise<void> {
  const server = createApp().listen(environment.port, '0.0.0.0');

  process.once('SIGTERM', () => {
    server.close(() => process.exit());
    // A connection that is in use would be kept alive for 5 s after its answer.
    server.closeAllConnections();
  });
}

await inEachWorker(start);
