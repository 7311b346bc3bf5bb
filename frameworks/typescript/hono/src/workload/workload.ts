import { Hono } from 'hono';

import { raw } from './raw.js';
import { zod } from './zod.js';

export const workload = new Hono();

workload.get('/status', (c) => c.text('OK'));

workload.get('/labels/:label', (c) => c.text(c.req.param('label')));

workload.route('/', raw);
workload.route('/', zod);
