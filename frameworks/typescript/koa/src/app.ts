import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';

import { errorHandler } from './errors.js';
import { issueTracker } from './issue-tracker/issue-tracker.js';
import { registry } from './registry/registry.js';
import { Int32 } from './schemas.js';
import { workload } from './workload/workload.js';

export function createApp(): Koa {
  const app = new Koa();
  app.use(errorHandler);
  app.use(bodyParser());

  const router = new Router();

  router.get('/hello_world', (ctx) => {
    ctx.body = 'Hello World';
  });

  for (const method of ['get', 'post', 'put'] as const) {
    for (let n = 0; n < 10; n++) {
      router[method](`/route-${method}-${n}/:part`, (ctx) => {
        ctx.body = { part: Int32.parse(ctx.params.part) };
      });
    }
  }

  router.use('/api/v1', issueTracker().routes());
  router.use('/test', workload().routes());
  router.use(registry().routes());

  app.use(router.routes()).use(router.allowedMethods());
  return app;
}
