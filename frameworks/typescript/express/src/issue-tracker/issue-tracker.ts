import express, { type Router } from 'express';

import { DataSource } from '../../../shared/source.js';
import { raw } from './raw.js';
import { zod } from './zod.js';

export function issueTracker(): Router {
  const source = new DataSource();
  const router = express.Router();
  router.use(raw(source));
  router.use(zod(source));
  return router;
}
