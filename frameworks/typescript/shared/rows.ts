import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { environment } from './environment.js';

/** What a database driver would hand out: plain values by the name of their column. Rows are shared: build new values. */
export type Row = Readonly<Record<string, unknown>>;

export interface UserRow extends Row {
  readonly sub: string;
}

/** A sprint, and its issues. */
export interface SprintRow extends Row {
  readonly sprint: Row;
}

/** What a client sends of a task; the rest of a task's row is the tracker's own. */
export const TASK_FIELDS = [
  'summary',
  'description',
  'issue_type',
  'priority',
  'labels',
  'components',
] as const;

/** What the emulated data source holds. */
export interface Rows {
  readonly user: UserRow;
  readonly sprint: SprintRow;
  readonly task: Row;
}

/** The rows in $FIXTURES, to be read once at start. */
export function readRows(): Rows {
  const read = (file: string) =>
    JSON.parse(
      readFileSync(join(environment.fixtures, 'issue-tracker', file), 'utf8'),
    );
  return {
    user: read('user.json'),
    sprint: read('sprint.json'),
    task: read('task.json'),
  };
}
