import Router from '@koa/router';
import * as z from 'zod';

import type { DataSource } from '../../../shared/source.js';
import { Int32 } from '../schemas.js';

/** The fields of a task that a client sends. */
const TaskIn = z.object({
  summary: z.string(),
  description: z.string(),
  issue_type: z.string(),
  priority: z.string(),
  labels: z.array(z.string()),
  components: z.array(z.string()),
});

export function zod(source: DataSource): Router {
  const router = new Router();

  router.get('/userinfo/zod/:id', async (ctx) => {
    const id = Int32.parse(ctx.params.id);
    const user = await source.typedUser();
    user.sub = `${user.sub}-${id}`;
    ctx.body = user;
  });

  router.get('/sprint/zod/:id', async (ctx) => {
    const id = Int32.parse(ctx.params.id);
    const board = await source.typedBoard();
    board.sprint.id = id;
    ctx.body = board;
  });

  router.post('/board/zod/:id/task', async (ctx) => {
    const board = Int32.parse(ctx.params.id);
    const sent = TaskIn.parse(ctx.request.body);
    const task = await source.typedTask();
    ctx.status = 201;
    ctx.body = Object.assign(task, sent, { board });
  });

  router.put('/board/zod/:id/task', async (ctx) => {
    const board = Int32.parse(ctx.params.id);
    await source.saveTask({ ...TaskIn.parse(ctx.request.body), board });
    ctx.status = 204;
  });

  return router;
}
