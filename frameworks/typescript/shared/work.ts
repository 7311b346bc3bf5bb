/** The business logic of the suite `workload`, the same in every entry. */

import bcrypt from 'bcrypt';

import { environment } from './environment.js';

export const TIMED_MS = 20;
export const PROCESSING_MS = environment.processingMs;
export const PROCESSING_NOTE = `handled for ${PROCESSING_MS} ms`;

export function greeting(payload: string): string {
  return `Hello, ${payload}`;
}

/** Takes about 50 ms of CPU time in a thread of libuv. The event loop goes on meanwhile. */
export function hashPassword(payload: string): Promise<string> {
  return bcrypt.hash(payload, 10);
}
