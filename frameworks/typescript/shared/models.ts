/**
 * The issue tracker's types for class-validator and class-transformer, and how each answer is built from a row of the
 * data source. A field without a value is undefined, and JSON leaves it out.
 */

import 'reflect-metadata';
import { plainToInstance, Type } from 'class-transformer';
import { IsArray, IsString } from 'class-validator';

import type { Row, SprintRow, UserRow } from './rows.js';

export class Address {
  formatted!: string;
}

export class User {
  sub!: string;
  group_ids!: number[];
  given_name!: string;
  name!: string;
  email!: string;
  phone_number!: string;
  @Type(() => Address)
  address!: Address;
  picture!: string;

  static fromRow(row: UserRow, id: number): User {
    return plainToInstance(User, { ...row, sub: `${row.sub}-${id}` });
  }
}

export class Person {
  id!: number;
  name!: string;
  picture!: string;
}

export class Sprint {
  id!: number;
  name!: string;
  @Type(() => Date)
  start!: Date;
  @Type(() => Date)
  end!: Date;
}

export class Issue {
  id!: number;
  summary!: string;
  description_short!: string;
  index!: number;
  status_id!: number;
  story_points!: number;
  @Type(() => Person)
  assigned?: Person;
  @Type(() => Date)
  modified_at!: Date;
}

/** A sprint with its issues. */
export class Board {
  @Type(() => Sprint)
  sprint!: Sprint;
  @Type(() => Issue)
  issues!: Issue[];

  static fromRow(row: SprintRow, id: number): Board {
    return plainToInstance(Board, { ...row, sprint: { ...row.sprint, id } });
  }
}

export class Project {
  id!: number;
  key!: string;
  name!: string;
}

export class Status {
  id!: number;
  name!: string;
  category!: string;
}

export class Activity {
  id!: number;
  @Type(() => Person)
  author!: Person;
  kind!: string;
  message!: string;
  @Type(() => Date)
  created_at!: Date;
}

/** The fields of a task that a client sends. */
export class TaskIn {
  @IsString()
  summary!: string;
  @IsString()
  description!: string;
  @IsString()
  issue_type!: string;
  @IsString()
  priority!: string;
  @IsArray()
  @IsString({ each: true })
  labels!: string[];
  @IsArray()
  @IsString({ each: true })
  components!: string[];
}

export class Task extends TaskIn {
  id!: number;
  board!: number;
  @Type(() => Person)
  author!: Person;
  @Type(() => Person)
  assigned!: Person;
  @Type(() => Project)
  project!: Project;
  @Type(() => Status)
  status!: Status;
  @Type(() => Activity)
  activity!: Activity[];
  @Type(() => Date)
  created_at!: Date;

  static fromRow(row: Row, board: number, task: TaskIn): Task {
    return Object.assign(plainToInstance(Task, { ...row, board }), task);
  }
}
