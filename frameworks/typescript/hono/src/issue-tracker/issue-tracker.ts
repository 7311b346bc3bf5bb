import { Hono } from 'hono';

import { raw } from './raw.js';
import { zod } from './zod.js';

export const issueTracker = new Hono();

issueTracker.route('/', raw);
issueTracker.route('/', zod);
