import { setTimeout } from 'node:timers/promises';

/** Waits without blocking other requests. For 0 ms it sets no timer, because the shortest timer of Node takes 1 ms. */
export async function wait(milliseconds: number): Promise<void> {
  if (milliseconds > 0) {
    await setTimeout(milliseconds);
  }
}
