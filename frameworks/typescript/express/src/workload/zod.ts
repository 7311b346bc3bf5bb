import express, { type Response, type Router } from 'express';
import * as z from 'zod';

import { wait } from '../../../shared/wait.js';
import { greeting, TIMED_MS } from '../../../shared/work.js';

const Payload = z.object({ payload: z.string() });
type Payload = z.infer<typeof Payload>;

export function zod(): Router {
  const router = express.Router();

  router.post('/simple/zod', (req, res: Response<Payload>) => {
    const { payload } = Payload.parse(req.body);
    res.json({ payload: greeting(payload) });
  });

  router.post('/timed/zod', async (req, res: Response<Payload>) => {
    const { payload } = Payload.parse(req.body);
    await wait(TIMED_MS);
    res.json({ payload: greeting(payload) });
  });

  return router;
}
