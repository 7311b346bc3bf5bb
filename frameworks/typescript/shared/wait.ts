import { setTimeout } from 'node:timers/promises';

/** Waits without holding up anyone else. For 0 ms not at all: the shortest timer of Node takes 1 ms. */
export async function wait(milliseconds: number): Promise<void> {
  if (milliseconds > 0) {
    await setTimeout(milliseconds);
  }
}
