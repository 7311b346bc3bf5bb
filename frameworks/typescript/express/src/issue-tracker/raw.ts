import express, { type Router } from 'express';
import createError from 'http-errors';

import { TASK_FIELDS } from '../../../shared/models.js';
import type { DataSource } from '../../../shared/source.js';
import { Int32 } from '../schemas.js';

export function raw(source: DataSource): Router {
  const router = express.Router();

  router.get('/userinfo/raw/:id', async (req, res) => {
    const id = Int32.parse(req.params.id);
    const user = await source.plainUser();
    user.sub = `${user.sub}-${id}`;
    res.json(user);
  });

  router.get('/sprint/raw/:id', async (req, res) => {
    const id = Int32.parse(req.params.id);
    const board = await source.plainBoard();
    board.sprint.id = id;
    res.json(board);
  });

  router.post('/board/raw/:id/task', async (req, res) => {
    const board = Int32.parse(req.params.id);
    const sent = taskIn(req.body);
    const task = await source.plainTask();
    res.status(201).json(Object.assign(task, sent, { board }));
  });

  router.put('/board/raw/:id/task', async (req, res) => {
    const board = Int32.parse(req.params.id);
    await source.saveTask({ ...taskIn(req.body), board });
    res.status(204).end();
  });

  return router;
}

/** Returns the fields of a task in a body. Other fields are ignored. */
function taskIn(body: unknown): object {
  const sent = Object(body);
  const missing = TASK_FIELDS.filter((field) => !Object.hasOwn(sent, field));
  if (missing.length > 0) {
    throw createError(400, `missing: ${missing.join(', ')}`);
  }
  return Object.fromEntries(TASK_FIELDS.map((field) => [field, sent[field]]));
}
