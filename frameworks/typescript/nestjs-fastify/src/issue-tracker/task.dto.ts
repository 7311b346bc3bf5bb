import { IsArray, IsString } from 'class-validator';

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
