import type { FastifyPluginAsync } from 'fastify';

import { DataSource } from '../../../shared/source.js';
import { raw } from './raw.js';
import { typed } from './typed.js';

export const issueTracker: FastifyPluginAsync = async (fastify) => {
  const source = new DataSource();
  fastify.register(raw, { source });
  fastify.register(typed, { source });
};
