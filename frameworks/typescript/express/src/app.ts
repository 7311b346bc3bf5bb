import express, { type Express } from 'express';

import { errorHandler } from './errors.js';
import { issueTracker } from './issue-tracker/issue-tracker.js';
import { registry } from './registry/registry.js';
import { Int32 } from './schemas.js';
import { workload } from './workload/workload.js';

export function createApp(): Express {
  const app = express();
  app.use(express.json());

  app.get('/hello_world', (req, res) => {
    res.type('text/plain').send('Hello World');
  });

  for (const method of ['get', 'post', 'put'] as const) {
    for (let n = 0; n < 10; n++) {
      app.route(`/route-${method}-${n}/:part`)[method]((req, res) => {
        res.json({ part: Int32.parse(req.params.part) });
      });
    }
  }

  app.use('/api/v1', issueTracker());
  app.use('/test', workload());
  app.use(registry());

  app.use(errorHandler);
  return app;
}
