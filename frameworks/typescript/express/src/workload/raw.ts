import express, { type Router } from 'express';
import createError from 'http-errors';

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
  const router = express.Router();

  router.post('/simple/raw', (req, res) => {
    res.json({ payload: greeting(textIn(req.body, 'payload')) });
  });

  router.post('/timed/raw', async (req, res) => {
    const payload = textIn(req.body, 'payload');
    await wait(TIMED_MS);
    res.json({ payload: greeting(payload) });
  });

  router.post('/bcrypt', async (req, res) => {
    res.json({ payload: await hashPassword(textIn(req.body, 'payload')) });
  });

  router.post('/', async (req, res) => {
    const message = textIn(req.body, 'message');
    await wait(PROCESSING_MS);
    res.json({ message, note: PROCESSING_NOTE });
  });

  return router;
}

/** Returns the text under a key of a body. */
function textIn(body: unknown, key: string): string {
  const text: unknown = Object(body)[key];
  if (typeof text !== 'string') {
    throw createError(400, `no text: ${key}`);
  }
  return text;
}
