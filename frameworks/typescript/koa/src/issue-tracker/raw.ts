import Router, { type RouterContext } from '@koa/router';

import { TASK_FIELDS } from '../../../shared/models.js';
import type { DataSource } from '../../../shared/source.js';
import { Int32 } from '../schemas.js';

export function raw(source: DataSource): Router {
  const router = new Router();

  router.get('/userinfo/raw/:id', async (ctx) => {
    const id = Int32.parse(ctx.params.id);
    const user = await source.plainUser();
    user.sub = `${user.sub}-${id}`;
    ctx.body = user;
  });

  router.get('/sprint/raw/:id', async (ctx) => {
    const id = Int32.parse(ctx.params.id);
    const board = await source.plainBoard();
    board.sprint.id = id;
    ctx.body = board;
  });

  router.post('/board/raw/:id/task', async (ctx) => {
    const board = Int32.parse(ctx.params.id);
    const sent = taskIn(ctx);
    const task = await source.plainTask();
    ctx.status = 201;
    ctx.body = Object.assign(task, sent, { board });
  });

  router.put('/board/raw/:id/task', async (ctx) => {
    const board = Int32.parse(ctx.params.id);
    await source.saveTask({ ...taskIn(ctx), board });
    ctx.status = 204;
  });

  return router;
}

/** Returns the fields of a task in a body. Other fields are ignored. */
function taskIn(ctx: RouterContext): object {
  const sent = Object(ctx.request.body);
  const missing = TASK_FIELDS.filter((field) => !Object.hasOwn(sent, field));
  if (missing.length > 0) {
    ctx.throw(400, `missing: ${missing.join(', ')}`);
  }
  return Object.fromEntries(TASK_FIELDS.map((field) => [field, sent[field]]));
}
