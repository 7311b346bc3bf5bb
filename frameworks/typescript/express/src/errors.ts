import type { ErrorRequestHandler } from 'express';
import * as z from 'zod';

import { SolrUnavailable } from '../../shared/solr.js';

/** Answers expected errors. Express's default handler answers and prints all others. */
export const errorHandler: ErrorRequestHandler = (error, req, res, next) => {
  if (error instanceof z.ZodError) {
    res.status(400).json({ error: z.prettifyError(error) });
  } else if (error instanceof SolrUnavailable) {
    res.status(503).json({ error: error.message });
  } else if (error.status < 500) {
    res.status(error.status).json({ error: error.message });
  } else {
    next(error);
  }
};
