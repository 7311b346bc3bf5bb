import createError from '@fastify/error';
import type { FastifyPluginAsync } from 'fastify';

import { wait } from '../../../shared/wait.js';
import {
  greeting,
  hashPassword,
  PROCESSING_MS,
  PROCESSING_NOTE,
  TIMED_MS,
} from '../../../shared/work.js';

const MissingText = createError('MISSING_TEXT', 'no text: %s', 400);

/** bcrypt and the queue have no other variant. */
export const raw: FastifyPluginAsync = async (fastify) => {
  fastify.post('/simple/raw', async ({ body }) => ({
    payload: greeting(textIn(body, 'payload')),
  }));

  fastify.post('/timed/raw', async ({ body }) => {
    const payload = textIn(body, 'payload');
    await wait(TIMED_MS);
    return { payload: greeting(payload) };
  });

  fastify.post('/bcrypt', async ({ body }) => ({
    payload: await hashPassword(textIn(body, 'payload')),
  }));

  fastify.post('/', async ({ body }) => {
    const message = textIn(body, 'message');
    await wait(PROCESSING_MS);
    return { message, note: PROCESSING_NOTE };
  });
};

/** Returns the text under a key of a body. */
function textIn(body: unknown, key: string): string {
  const text: unknown = Object(body)[key];
  if (typeof text !== 'string') {
    throw new MissingText(key);
  }
  return text;
}
