import express, { type Response, type Router } from 'express';

import { Solr, SolrUnavailable } from '../../../shared/solr.js';
import { type Document, Documents, Query } from './schemas.js';

const ANONYMOUS_BELOW = 100;

export function registry(): Router {
  const solr = new Solr();
  const router = express.Router();

  router.get(
    '/json_serialization/zod',
    async (req, res: Response<Document[]>) => {
      const query = Query.parse(req.query);
      res.json(await documentsOf(solr, query.document_type));
    },
  );

  router.get('/anonymization/zod', async (req, res: Response<Document[]>) => {
    const documents = await documentsOf(solr, 1);
    documents.forEach(anonymize);
    res.json(documents);
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
