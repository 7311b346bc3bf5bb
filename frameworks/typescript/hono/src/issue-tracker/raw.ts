import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { validator } from 'hono/validator';

import { TASK_FIELDS } from '../../../shared/models.js';
import { Params } from './schemas.js';
import { source } from './source.js';

/** Finds the fields of a task in a body. Other fields are ignored. */
const taskIn = validator('json', (body, c) => {
  const sent = Object(body);
  const missing = TASK_FIELDS.filter((field) => !Object.hasOwn(sent, field));
  if (missing.length > 0) {
    return c.text(`missing: ${missing.join(', ')}`, 400);
  }
  return Object.fromEntries(TASK_FIELDS.map((field) => [field, sent[field]]));
});

export const raw = new Hono();

raw.get('/userinfo/raw/:id', zValidator('param', Params), async (c) => {
  const { id } = c.req.valid('param');
  const user = await source.plainUser();
  user.sub = `${user.sub}-${id}`;
  return c.json(user);
});

raw.get('/sprint/raw/:id', zValidator('param', Params), async (c) => {
  const { id } = c.req.valid('param');
  const board = await source.plainBoard();
  board.sprint.id = id;
  return c.json(board);
});

raw.post(
  '/board/raw/:id/task',
  zValidator('param', Params),
  taskIn,
  async (c) => {
    const { id } = c.req.valid('param');
    const task = await source.plainTask();
    return c.json(Object.assign(task, c.req.valid('json'), { board: id }), 201);
  },
);

raw.put(
  '/board/raw/:id/task',
  zValidator('param', Params),
  taskIn,
  async (c) => {
    await source.saveTask(c.req.valid('json'));
    return c.body(null, 204);
  },
);
