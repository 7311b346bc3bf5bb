import { type Static, Type } from '@fastify/type-provider-typebox';

const DateTime = Type.String({ format: 'date-time' });

const Address = Type.Object({ formatted: Type.String() });

export const User = Type.Object({
  sub: Type.String(),
  group_ids: Type.Array(Type.Integer()),
  given_name: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone_number: Type.String(),
  address: Address,
  picture: Type.String(),
});
export type User = Static<typeof User>;

const Person = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  picture: Type.String(),
});

const Sprint = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  start: DateTime,
  end: DateTime,
});

const Issue = Type.Object({
  id: Type.Integer(),
  summary: Type.String(),
  description_short: Type.String(),
  index: Type.Integer(),
  status_id: Type.Integer(),
  story_points: Type.Integer(),
  assigned: Type.Optional(Person),
  modified_at: DateTime,
});

/** A sprint with its issues. */
export const Board = Type.Object({
  sprint: Sprint,
  issues: Type.Array(Issue),
});
export type Board = Static<typeof Board>;

const Project = Type.Object({
  id: Type.Integer(),
  key: Type.String(),
  name: Type.String(),
});

const Status = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  category: Type.String(),
});

const Activity = Type.Object({
  id: Type.Integer(),
  author: Person,
  kind: Type.String(),
  message: Type.String(),
  created_at: DateTime,
});

/** The fields of a task that a client sends. The validator removes other fields. */
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

/** The fields of a task that the tracker sets. */
const TaskRow = Type.Object({
  id: Type.Integer(),
  author: Person,
  assigned: Person,
  project: Project,
  status: Status,
  activity: Type.Array(Activity),
  created_at: DateTime,
});
export type TaskRow = Static<typeof TaskRow>;

export const Task = Type.Object({
  ...TaskRow.properties,
  ...TaskIn.properties,
  board: Type.Integer(),
});
