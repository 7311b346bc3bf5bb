/** The issue tracker's declared types. */

import { Type } from 'typebox';

import { DateTime, typedRow } from './typed-row.js';

export class Address extends typedRow({ formatted: Type.String() }) {}

export class User extends typedRow({
  sub: Type.String(),
  group_ids: Type.Array(Type.Integer()),
  given_name: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone_number: Type.String(),
  address: Address.schema,
  picture: Type.String(),
}) {}

export class Person extends typedRow({
  id: Type.Integer(),
  name: Type.String(),
  picture: Type.String(),
}) {}

/** The request sets its id. */
export class Sprint extends typedRow({
  id: Type.Optional(Type.Integer()),
  name: Type.String(),
  start: DateTime,
  end: DateTime,
}) {}

export class Issue extends typedRow({
  id: Type.Integer(),
  summary: Type.String(),
  description_short: Type.String(),
  index: Type.Integer(),
  status_id: Type.Integer(),
  story_points: Type.Integer(),
  assigned: Type.Optional(Person.schema),
  modified_at: DateTime,
}) {}

/** A sprint with its issues. */
export class Board extends typedRow({
  sprint: Sprint.schema,
  issues: Type.Array(Issue.schema),
}) {}

export class Project extends typedRow({
  id: Type.Integer(),
  key: Type.String(),
  name: Type.String(),
}) {}

export class Status extends typedRow({
  id: Type.Integer(),
  name: Type.String(),
  category: Type.String(),
}) {}

export class Activity extends typedRow({
  id: Type.Integer(),
  author: Person.schema,
  kind: Type.String(),
  message: Type.String(),
  created_at: DateTime,
}) {}

/** The fields of a task that a client sends. */
export const TaskIn = Type.Object(
  {
    summary: Type.String(),
    description: Type.String(),
    issue_type: Type.String(),
    priority: Type.String(),
    labels: Type.Array(Type.String()),
    components: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);

export const TASK_FIELDS = Object.keys(TaskIn.properties);

/** The request sets its board, and the fields that the client sends. */
export class Task extends typedRow({
  ...Type.Partial(TaskIn).properties,
  id: Type.Integer(),
  board: Type.Optional(Type.Integer()),
  author: Person.schema,
  assigned: Person.schema,
  project: Project.schema,
  status: Status.schema,
  activity: Type.Array(Activity.schema),
  created_at: DateTime,
}) {}
