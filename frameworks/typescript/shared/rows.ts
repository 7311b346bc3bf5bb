import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import { environment } from './environment.js';
import type { RowClass } from './typed-row.js';

/** What depends on the request in a plain or typed row of a user. The other two rows have such a type, too. */
export interface UserRow {
  sub: string;
  picture: string;
}

/** A sprint and its issues. */
export interface BoardRow {
  sprint: { id?: number };
  issues: { description_short: string }[];
}

export interface TaskRow {
  author: { picture: string };
}

/** Reads the plain rows of a file, and makes typed rows of them. Ends the app if they do not fit. */
export function readRows<Plain, Typed extends Plain>(
  file: string,
  { schema }: RowClass<Typed>,
) {
  try {
    const plain: Plain[] = JSON.parse(
      readFileSync(join(environment.fixtures, 'issue-tracker', file), 'utf8'),
    );
    const rows = Compile(Type.Array(schema));
    const [misfit] = rows.Errors(plain);
    if (misfit) {
      throw new Error(`${misfit.instancePath} ${misfit.message}`);
    }
    return { plain, typed: rows.Decode(plain) as Typed[] };
  } catch (error) {
    const { message } = error as Error;
    console.error(`${file}: ${message.replaceAll('\n', ' ')}`);
    process.exit(1);
  }
}

/** Lends the row of a fetch, whose number ends one text (docs/CONTRACT.md). lendBoard and lendTask do the same. */
export function lendUser<T extends UserRow>(rows: T[], number: number): T {
  const user = copyOf(rows[number % rows.length]);
  user.picture = withNumber(user.picture, number);
  return user;
}

export function lendBoard<T extends BoardRow>(rows: T[], number: number): T {
  const board = copyOf(rows[number % rows.length]);
  board.sprint = copyOf(board.sprint);
  board.issues = board.issues.slice();
  const index = number % board.issues.length;
  const issue = copyOf(board.issues[index]);
  issue.description_short = withNumber(issue.description_short, number);
  board.issues[index] = issue;
  return board;
}

export function lendTask<T extends TaskRow>(rows: T[], number: number): T {
  const task = copyOf(rows[number % rows.length]);
  task.author = copyOf(task.author);
  task.author.picture = withNumber(task.author.picture, number);
  return task;
}

/** Returns a shallow copy of the same class. */
function copyOf<T extends object>(row: T): T {
  return Object.assign(Object.create(Object.getPrototypeOf(row)), row);
}

/**
 * Returns a text that is one piece, as a database driver's are. V8 keeps the pieces of a template, and Node.js 26 would
 * then take twice as long for the JSON of a sprint.
 */
function withNumber(text: string, number: number): string {
  return [text.slice(0, -10), number].join('');
}
