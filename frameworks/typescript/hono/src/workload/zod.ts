import { z } from '@hono/zod-openapi';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';

import { wait } from '../../../shared/wait.js';
import { greeting, TIMED_MS } from '../../../shared/work.js';

const Payload = z.object({ payload: z.string() });

export const zod = new Hono();

zod.post('/simple/zod', zValidator('json', Payload), (c) => {
  const { payload } = c.req.valid('json');
  return c.json({ payload: greeting(payload) });
});

zod.post('/timed/zod', zValidator('json', Payload), async (c) => {
  const { payload } = c.req.valid('json');
  await wait(TIMED_MS);
  return c.json({ payload: greeting(payload) });
});
