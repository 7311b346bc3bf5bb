import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';

import { Solr } from '../../../shared/solr.js';
import { anonymousDocumentsRoute, documentsRoute } from './routes.js';
import { type Document, Documents } from './schemas.js';

const ANONYMOUS_BELOW = 100;

const solr = new Solr();

export const registry = new OpenAPIHono();

registry.openapi(documentsRoute, async (c) => {
  const { document_type } = c.req.valid('query');
  return c.json(await documentsOf(document_type), 200);
});

registry.openapi(anonymousDocumentsRoute, async (c) => {
  const documents = await documentsOf(1);
  documents.forEach(anonymize);
  return c.json(documents, 200);
});

/** Solr's documents have more fields. The schema leaves these out. */
async function documentsOf(type: number): Promise<Document[]> {
  try {
    return Documents.parse(await solr.select(type));
  } catch (cause) {
    const message = 'Solr gives no answer that can be used';
    throw new HTTPException(503, { message, cause });
  }
}

function anonymize(document: Document): void {
  for (const child of document.child_objects ?? []) {
    if (child.number !== undefined && child.number < ANONYMOUS_BELOW) {
      child.number = 0;
    }
  }
}
