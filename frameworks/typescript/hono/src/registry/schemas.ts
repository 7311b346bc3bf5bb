import { z } from '@hono/zod-openapi';

import { Int32 } from '../schemas.js';

export const Query = z.object({
  document_type: Int32.openapi({
    description: 'The type of the documents to return',
    example: 1,
  }),
});

const Child = z
  .object({
    id: z.string().openapi({ example: 'registry-001-0' }),
    name: z.string().optional().openapi({ example: 'Birch Mill' }),
    number: z.int().optional().openapi({ example: 100 }),
  })
  .openapi('Child');

const Document = z
  .object({
    id: z.string().openapi({ example: 'registry-001' }),
    document_type: z.int().openapi({ example: 1 }),
    string_array: z
      .array(z.string())
      .optional()
      .openapi({ example: ['Amber Quay', 'Łąka Höhe'] }),
    int_array: z.array(z.int()).optional().openapi({ example: [3, 1, 2] }),
    child_objects: z.array(Child).optional(),
  })
  .openapi('Document');
export type Document = z.infer<typeof Document>;

export const Documents = z.array(Document);
