import { IsString } from 'class-validator';

export class Payload {
  @IsString()
  payload!: string;
}
