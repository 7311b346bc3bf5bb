import { environment } from './environment.js';
import { Rows, type SprintRow, type TaskRow, type UserRow } from './rows.js';
import { Semaphore } from './semaphore.js';
import { wait } from './wait.js';

/**
 * The emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
 *
 * It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is
 * not measured. A process has one.
 */
export class DataSource {
  private readonly rows = new Rows();
  private readonly pool = new Semaphore(environment.poolSize);

  async user(): Promise<UserRow> {
    await this.useConnection();
    return this.rows.user();
  }

  async sprint(): Promise<SprintRow> {
    await this.useConnection();
    return this.rows.sprint();
  }

  /** The fields of a new task that the tracker sets: its number, author, status, … */
  async task(): Promise<TaskRow> {
    await this.useConnection();
    return this.rows.task();
  }

  /** Takes as long as a write would, and keeps nothing. */
  async saveTask(task: object): Promise<void> {
    await this.useConnection();
    this.rows.saveTask();
  }

  private async useConnection(): Promise<void> {
    await this.pool.use(() => wait(environment.poolLatencyMs));
  }
}
