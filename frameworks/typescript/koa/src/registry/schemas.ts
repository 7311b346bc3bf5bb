import * as z from 'zod';

import { Integer } from '../schemas.js';

export const Query = z.object({ document_type: Integer.pipe(z.int32()) });

const Child = z.object({
  id: z.string(),
  name: z.string().optional(),
  number: z.int().optional(),
});

const Document = z.object({
  id: z.string(),
  document_type: z.int(),
  string_array: z.array(z.string()).optional(),
  int_array: z.array(z.int()).optional(),
  child_objects: z.array(Child).optional(),
});
export type Document = z.infer<typeof Document>;

export const Documents = z.array(Document);
