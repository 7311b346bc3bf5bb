import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { environment } from './environment.js';

/** Plain values by the name of their column, as a database driver returns them. Rows are shared: do not change them. */
export type Row = Readonly<Record<string, unknown>>;

export interface UserRow extends Row {
  readonly sub: string;
}

/** A sprint and its issues. */
export interface SprintRow extends Row {
  readonly sprint: Row;
}

/** The fields of a task that a client sends. The tracker sets the other fields. */
export const TASK_FIELDS = [
  'summary',
  'description',
  'issue_type',
  'priority',
  'labels',
  'components',
] as const;

/** The rows of the emulated data source. */
export interface Rows {
  readonly user: UserRow;
  readonly sprint: SprintRow;
  readonly task: Row;
}

/** Reads the rows in $FIXTURES. Call it once, at start. */
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
