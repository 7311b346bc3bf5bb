/** Lets a number of callers work at the same time. The others wait for their turn. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async use(work: () => Promise<void>): Promise<void> {
    if (this.free > 0) {
      this.free--;
    } else {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      await work();
    } finally {
      this.leave();
    }
  }

  /** Gives the free place to the caller that has waited longest. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) {
      next();
    } else {
      this.free++;
    }
  }
}
