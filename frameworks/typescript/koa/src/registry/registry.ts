import Router from '@koa/router';

import { Solr, SolrUnavailable } from '../../../shared/solr.js';
import { type Document, Documents, Query } from './schemas.js';

const ANONYMOUS_BELOW = 100;

export function registry(): Router {
  const solr = new Solr();
  const router = new Router();

  router.get('/json_serialization/zod', async (ctx) => {
    const query = Query.parse(ctx.query);
    ctx.body = await documentsOf(solr, query.document_type);
  });

  router.get('/anonymization/zod', async (ctx) => {
    const documents = await documentsOf(solr, 1);
    documents.forEach(anonymize);
    ctx.body = documents;
  });

  return router;
}

async function documentsOf(solr: Solr, type: number): Promise<Document[]> {
  const found = Documents.safeParse(await solr.select(type));
  if (!found.success) {
    throw new SolrUnavailable('Solr answers with broken documents');
  }
  return found.data;
}

function anonymize(document: Document): void {
  for (const child of document.child_objects ?? []) {
    if (child.number !== undefined && child.number < ANONYMOUS_BELOW) {
      child.number = 0;
    }
  }
}
