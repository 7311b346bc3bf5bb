import { Hono } from 'hono';
import { validator } from 'hono/validator';

import { wait } from '../../../shared/wait.js';
import {
  greeting,
  hashPassword,
  PROCESSING_MS,
  PROCESSING_NOTE,
  TIMED_MS,
} from '../../../shared/work.js';

/** Finds the text under a key of a body. */
function textIn(key: string) {
  return validator('json', (body, c) => {
    const text: unknown = Object(body)[key];
    return typeof text === 'string' ? text : c.text(`no text: ${key}`, 400);
  });
}

/** bcrypt and the queue have no other variant. */
export const raw = new Hono();

raw.post('/simple/raw', textIn('payload'), (c) =>
  c.json({ payload: greeting(c.req.valid('json')) }),
);

raw.post('/timed/raw', textIn('payload'), async (c) => {
  await wait(TIMED_MS);
  return c.json({ payload: greeting(c.req.valid('json')) });
});

raw.post('/bcrypt', textIn('payload'), async (c) =>
  c.json({ payload: await hashPassword(c.req.valid('json')) }),
);

raw.post('/', textIn('message'), async (c) => {
  await wait(PROCESSING_MS);
  return c.json({ message: c.req.valid('json'), note: PROCESSING_NOTE });
});
