/** Lets so many in at a time; the others wait their turn. */
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

  /** Hands the place to whoever waits longest. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) {
      next();
    } else {
      this.free++;
    }
  }
}
