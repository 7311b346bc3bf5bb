import Router from '@koa/router';

import { raw } from './raw.js';
import { zod } from './zod.js';

export function workload(): Router {
  const router = new Router();

  router.get('/status', (ctx) => {
    ctx.body = 'OK';
  });

  router.get('/labels/:label', (ctx) => {
    ctx.type = 'text'; // Koa would take a label that begins with < for HTML
    ctx.body = ctx.params.label;
  });

  router.use(raw().routes());
  router.use(zod().routes());
  return router;
}
