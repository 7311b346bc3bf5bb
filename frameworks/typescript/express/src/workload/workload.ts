import express, { type Router } from 'express';

import { raw } from './raw.js';
import { zod } from './zod.js';

export function workload(): Router {
  const router = express.Router();

  router.get('/status', (req, res) => {
    res.type('text/plain').send('OK');
  });

  router.get('/labels/:label', (req, res) => {
    res.type('text/plain').send(req.params.label);
  });

  router.use(raw());
  router.use(zod());
  return router;
}
