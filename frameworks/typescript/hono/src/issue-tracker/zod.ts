import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';

import { Params, TaskIn } from './schemas.js';
import { source } from './source.js';

export const zod = new Hono();

zod.get('/userinfo/zod/:id', zValidator('param', Params), async (c) => {
  const { id } = c.req.valid('param');
  const user = await source.typedUser();
  user.sub = `${user.sub}-${id}`;
  return c.json(user);
});

zod.get('/sprint/zod/:id', zValidator('param', Params), async (c) => {
  const { id } = c.req.valid('param');
  const board = await source.typedBoard();
  board.sprint.id = id;
  return c.json(board);
});

zod.post(
  '/board/zod/:id/task',
  zValidator('param', Params),
  zValidator('json', TaskIn),
  async (c) => {
    const { id } = c.req.valid('param');
    const task = await source.typedTask();
    return c.json(Object.assign(task, c.req.valid('json'), { board: id }), 201);
  },
);

zod.put(
  '/board/zod/:id/task',
  zValidator('param', Params),
  zValidator('json', TaskIn),
  async (c) => {
    await source.saveTask(c.req.valid('json'));
    return c.body(null, 204);
  },
);
