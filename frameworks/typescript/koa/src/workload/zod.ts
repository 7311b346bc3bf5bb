import Router from '@koa/router';
import * as z from 'zod';

import { wait } from '../../../shared/wait.js';
import { greeting, TIMED_MS } from '../../../shared/work.js';

const Payload = z.object({ payload: z.string() });
type Payload = z.infer<typeof Payload>;

export function zod(): Router {
  const router = new Router();

  router.post('/simple/zod', (ctx) => {
    const { payload } = Payload.parse(ctx.request.body);
    ctx.body = { payload: greeting(payload) } satisfies Payload;
  });

  router.post('/timed/zod', async (ctx) => {
    const { payload } = Payload.parse(ctx.request.body);
    await wait(TIMED_MS);
    ctx.body = { payload: greeting(payload) } satisfies Payload;
  });

  return router;
}
