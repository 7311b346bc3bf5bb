import cluster from 'node:cluster';

import { environment } from './environment.js';

/** Runs an app in $WORKERS processes that share its port; where one is enough, in this process. */
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
  // An app that lost a worker is broken: it is seen to end rather than to be slow.
  cluster.on('exit', (worker, code) => {
    if (!stopping) {
      process.exit(code || 1);
    }
  });
  for (let started = 0; started < environment.workers; started++) {
    cluster.fork();
  }
}
