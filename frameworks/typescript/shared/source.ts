import { randomInt } from 'node:crypto';

import { environment } from './environment.js';
import { Board, Task, User } from './models.js';
import {
  type BoardRow,
  lendBoard,
  lendTask,
  lendUser,
  readRows,
  type TaskRow,
  type UserRow,
} from './rows.js';
import { Semaphore } from './semaphore.js';
import { wait } from './wait.js';

/**
 * The emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
 *
 * It replaces a database, so that an app waits as real apps do. It costs as little CPU time as possible, because it is
 * not measured. A process has one. It lends a row to each request: what a request may change is a copy, and all else is
 * shared.
 */
export class DataSource {
  private readonly users = readRows<UserRow, User>('users.json', User);
  private readonly boards = readRows<BoardRow, Board>('sprints.json', Board);
  private readonly tasks = readRows<TaskRow, Task>('tasks.json', Task);
  private readonly pool = new Semaphore(environment.poolSize);
  private number = randomInt(1e9, 9e9);

  async plainUser(): Promise<UserRow> {
    return lendUser(this.users.plain, await this.fetch());
  }

  async typedUser(): Promise<User> {
    return lendUser(this.users.typed, await this.fetch());
  }

  async plainBoard(): Promise<BoardRow> {
    return lendBoard(this.boards.plain, await this.fetch());
  }

  async typedBoard(): Promise<Board> {
    return lendBoard(this.boards.typed, await this.fetch());
  }

  async plainTask(): Promise<TaskRow> {
    return lendTask(this.tasks.plain, await this.fetch());
  }

  async typedTask(): Promise<Task> {
    return lendTask(this.tasks.typed, await this.fetch());
  }

  /** Takes as long as a write would, and keeps nothing. */
  async saveTask(task: object): Promise<void> {
    await this.fetch();
  }

  /** Returns the number of the fetch. */
  private async fetch(): Promise<number> {
    await this.pool.use(() => wait(environment.poolLatencyMs));
    return this.number++;
  }
}
