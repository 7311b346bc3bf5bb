import express, { type Response, type Router } from 'express';
import * as z from 'zod';

import type { Board, Task, User } from '../../../shared/models.js';
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
  const router = express.Router();

  router.get('/userinfo/zod/:id', async (req, res: Response<User>) => {
    const id = Int32.parse(req.params.id);
    const user = await source.typedUser();
    user.sub = `${user.sub}-${id}`;
    res.json(user);
  });

  router.get('/sprint/zod/:id', async (req, res: Response<Board>) => {
    const id = Int32.parse(req.params.id);
    const board = await source.typedBoard();
    board.sprint.id = id;
    res.json(board);
  });

  router.post('/board/zod/:id/task', async (req, res: Response<Task>) => {
    const board = Int32.parse(req.params.id);
    const sent = TaskIn.parse(req.body);
    const task = await source.typedTask();
    res.status(201).json(Object.assign(task, sent, { board }));
  });

  router.put('/board/zod/:id/task', async (req, res) => {
    const board = Int32.parse(req.params.id);
    await source.saveTask({ ...TaskIn.parse(req.body), board });
    res.status(204).end();
  });

  return router;
}
