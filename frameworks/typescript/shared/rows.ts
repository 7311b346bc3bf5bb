import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { environment } from './environment.js';

/**
 * Plain values by the name of their column, as a database driver returns them. Parts of rows are shared: do not change
 * them.
 */
export type Row = Readonly<Record<string, unknown>>;

export interface UserRow extends Row {
  readonly sub: string;
  readonly picture: string;
}

interface IssueRow extends Row {
  readonly description_short: string;
}

/** A sprint and its issues. */
export interface SprintRow extends Row {
  readonly sprint: Row;
  readonly issues: readonly IssueRow[];
}

interface PersonRow extends Row {
  readonly picture: string;
}

export interface TaskRow extends Row {
  readonly author: PersonRow;
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

/** Makes the rows of fetches. The number of the fetch ends one text of each row (docs/CONTRACT.md). */
export class Rows {
  private readonly userRow: UserRow = read('user.json');
  private readonly sprintRow: SprintRow = read('sprint.json');
  private readonly taskRow: TaskRow = read('task.json');
  private readonly userPicture = withoutEnd(this.userRow.picture);
  private readonly authorPicture = withoutEnd(this.taskRow.author.picture);
  private readonly descriptions = this.sprintRow.issues.map((issue) =>
    withoutEnd(issue.description_short),
  );
  private number = randomInt(1e9, 9e9);

  user(): UserRow {
    return {
      ...this.userRow,
      picture: withNumber(this.userPicture, this.number++),
    };
  }

  sprint(): SprintRow {
    const number = this.number++;
    const issues = this.sprintRow.issues.slice();
    const index = number % issues.length;
    issues[index] = {
      ...issues[index],
      description_short: withNumber(this.descriptions[index], number),
    };
    return { ...this.sprintRow, issues };
  }

  task(): TaskRow {
    const picture = withNumber(this.authorPicture, this.number++);
    return { ...this.taskRow, author: { ...this.taskRow.author, picture } };
  }

  saveTask(): void {
    this.number++;
  }
}

function read(file: string) {
  return JSON.parse(
    readFileSync(join(environment.fixtures, 'issue-tracker', file), 'utf8'),
  );
}

/** Returns a text without its last ten characters, where the number of a fetch stands. */
function withoutEnd(text: string): string {
  return [...text].slice(0, -10).join('');
}

/**
 * Returns a text that is one piece, as a database driver's are. V8 keeps the pieces of a template, and Node.js 26 would
 * then take twice as long for the JSON of a sprint.
 */
function withNumber(start: string, number: number): string {
  return [start, number].join('');
}
