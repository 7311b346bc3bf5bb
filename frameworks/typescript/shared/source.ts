import { environment } from './environment.js';
import { readRows, type Row, type SprintRow, type UserRow } from './rows.js';
import { Semaphore } from './semaphore.js';
import { wait } from './wait.js';

/**
 * The emulated data source: a pool of connections, and fetches that hold one of them for a while.
 *
 * It stands in for a database, so that an app waits as apps do, and costs as little as it can: it is not what is
 * measured. One per process.
 */
export class DataSource {
  private readonly rows = readRows();
  private readonly pool = new Semaphore(environment.poolSize);

  async user(): Promise<UserRow> {
    await this.useConnection();
    return this.rows.user;
  }

  async sprint(): Promise<SprintRow> {
    await this.useConnection();
    return this.rows.sprint;
  }

  /** What the tracker itself knows of a new task: its number, author, status, … */
  async task(): Promise<Row> {
    await this.useConnection();
    return this.rows.task;
  }

  /** Takes as long as a write would; nothing is kept. */
  async saveTask(task: object): Promise<void> {
    await this.useConnection();
  }

  private async useConnection(): Promise<void> {
    await this.pool.use(() => wait(environment.poolLatencyMs));
  }
}
