import Router, { type RouterContext } from '@koa/router';

import { wait } from '../../../shared/wait.js';
import {
  greeting,
  hashPassword,
  PROCESSING_MS,
  PROCESSING_NOTE,
  TIMED_MS,
} from '../../../shared/work.js';

/** bcrypt and the queue have no other variant. */
export function raw(): Router {
  const router = new Router();

  router.post('/simple/raw', (ctx) => {
    ctx.body = { payload: greeting(textIn(ctx, 'payload')) };
  });

  router.post('/timed/raw', async (ctx) => {
    const payload = textIn(ctx, 'payload');
    await wait(TIMED_MS);
    ctx.body = { payload: greeting(payload) };
  });

  router.post('/bcrypt', async (ctx) => {
    ctx.body = { payload: await hashPassword(textIn(ctx, 'payload')) };
  });

  router.post('/', async (ctx) => {
    const message = textIn(ctx, 'message');
    await wait(PROCESSING_MS);
    ctx.body = { message, note: PROCESSING_NOTE };
  });

  return router;
}

/** Returns the text under a key of a body. */
function textIn(ctx: RouterContext, key: string): string {
  const text: unknown = Object(ctx.request.body)[key];
  if (typeof text !== 'string') {
    ctx.throw(400, `no text: ${key}`);
  }
  return text;
}
