// Step 3: write this as the framework's own documentation would. Until then it uses plain node:http, and answers only
// GET /hello_world.

import { createServer } from 'node:http';

import { environment } from '../../shared/environment.js';
import { inEachWorker } from '../../shared/workers.js';

const server = createServer((request, response) => {
  const found = request.url === '/hello_world';
  const status = !found ? 404 : request.method === 'GET' ? 200 : 405;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(status === 200 ? 'Hello World' : '');
});

await inEachWorker(async () => {
  process.once('SIGTERM', () => process.exit());
  server.listen(environment.port, '0.0.0.0');
});
