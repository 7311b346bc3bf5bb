import { createRoute } from '@hono/zod-openapi';

import { Documents, Query } from './schemas.js';

const found = {
  description: 'Documents',
  content: { 'application/json': { schema: Documents } },
};

const unavailable = { description: 'Solr gives no answer that can be used' };

export const documentsRoute = createRoute({
  method: 'get',
  path: '/json_serialization/zod',
  summary: 'Documents of a type, as they are',
  request: { query: Query },
  responses: {
    200: found,
    400: { description: 'document_type is not one integer' },
    503: unavailable,
  },
});

export const anonymousDocumentsRoute = createRoute({
  method: 'get',
  path: '/anonymization/zod',
  summary: 'Documents with small numbers hidden',
  responses: { 200: found, 503: unavailable },
});
