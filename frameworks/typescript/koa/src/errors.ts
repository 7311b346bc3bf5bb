import type { Middleware } from 'koa';
import * as z from 'zod';

import { SolrUnavailable } from '../../shared/solr.js';

/** Answers expected errors. Koa's default handler answers and prints all others. */
export const errorHandler: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error: any) {
    if (error instanceof z.ZodError) {
      ctx.status = 400;
      ctx.body = { error: z.prettifyError(error) };
    } else if (error instanceof SolrUnavailable) {
      ctx.status = 503;
      ctx.body = { error: error.message };
    } else if (error.status < 500) {
      ctx.status = error.status;
      ctx.body = { error: error.message };
    } else {
      throw error;
    }
  }
};
