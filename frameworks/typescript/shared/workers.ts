import cluster from 'node:cluster';

import { environment } from './environment.js';

/** Runs an app in $WORKERS processes that share its port. One worker runs in this process. */
export async function inEachWorker(run: () => Promise<void>): Promise<void> {
  if (environment.workers === 1 || cluster.isWorker) {
    await run();
    return;
  }
  let stopping = false;
  process.once('SIGTERM', () => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) {
      worker?.kill('SIGTERM');
    }
  });
  // An app that lost a worker is broken. It ends, so that it is reported as broken and not measured as slow.
  cluster.on('exit', (worker, code) => {
    if (!stopping) {
      process.exit(code || 1);
    }
  });
  for (let started = 0; started < environment.workers; started++) {
    cluster.fork();
  }
}
