import { OpenAPIHono, z } from '@hono/zod-openapi';
import { zValidator } from '@hono/zod-validator';

import { issueTracker } from './issue-tracker/issue-tracker.js';
import { registry } from './registry/registry.js';
import { Id } from './schemas.js';
import { workload } from './workload/workload.js';

const Part = z.object({ part: Id });

export const app = new OpenAPIHono();

app.get('/hello_world', (c) => c.text('Hello World'));

for (const method of ['GET', 'POST', 'PUT']) {
  for (let n = 0; n < 10; n++) {
    app.on(
      method,
      `/route-${method.toLowerCase()}-${n}/:part`,
      zValidator('param', Part),
      (c) => c.json(c.req.valid('param')),
    );
  }
}

app.route('/api/v1', issueTracker);
app.route('/test', workload);
app.route('/', registry);

app.doc('/openapi.json', {
  openapi: '3.0.0',
  info: { title: 'restbench', version: '1.0.0' },
});
