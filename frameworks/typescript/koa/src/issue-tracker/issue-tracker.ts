import Router from '@koa/router';

import { DataSource } from '../../../shared/source.js';
import { raw } from './raw.js';
import { zod } from './zod.js';

export function issueTracker(): Router {
  const source = new DataSource();
  const router = new Router();
  router.use(raw(source).routes());
  router.use(zod(source).routes());
  return router;
}
