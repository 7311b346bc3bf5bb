import { z } from '@hono/zod-openapi';

import { Id } from '../schemas.js';

export const Params = z.object({ id: Id });

/** The fields of a task that a client sends. */
export const TaskIn = z.object({
  summary: z.string(),
  description: z.string(),
  issue_type: z.string(),
  priority: z.string(),
  labels: z.array(z.string()),
  components: z.array(z.string()),
});
