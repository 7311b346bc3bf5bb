import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Compile } from 'typebox/compile';

import { Solr, SolrUnavailable } from '../../../shared/solr.js';
import {
  BadRequest,
  type Document,
  Documents,
  Query,
  Unavailable,
} from './schemas.js';

const ANONYMOUS_BELOW = 100;

const validator = Compile(Documents);

export const registry: FastifyPluginAsyncTypebox = async (fastify) => {
  const solr = new Solr();

  fastify.setErrorHandler((error, request, reply) => {
    if (error instanceof SolrUnavailable) {
      reply.code(503);
    }
    reply.send(error);
  });

  fastify.get(
    '/json_serialization/typed',
    {
      schema: {
        summary: 'Documents of a type, as they are',
        querystring: Query,
        response: { 200: Documents, 400: BadRequest, 503: Unavailable },
      },
    },
    async (request) => documentsOf(solr, request.query.document_type),
  );

  fastify.get(
    '/anonymization/typed',
    {
      schema: {
        summary: 'Documents with small numbers hidden',
        response: { 200: Documents, 503: Unavailable },
      },
    },
    async () => {
      const documents = await documentsOf(solr, 1);
      documents.forEach(anonymize);
      return documents;
    },
  );
};

/** Solr's documents have more fields. The serializer leaves these out. It would convert values of other types. */
async function documentsOf(solr: Solr, type: number): Promise<Document[]> {
  const found = await solr.select(type);
  if (!validator.Check(found)) {
    throw new SolrUnavailable('Solr answers with broken documents');
  }
  return found;
}

function anonymize(document: Document): void {
  for (const child of document.child_objects ?? []) {
    if (child.number !== undefined && child.number < ANONYMOUS_BELOW) {
      child.number = 0;
    }
  }
}
