import { IsString } from 'class-validator';

export class Payload {
  @IsString()
  payload!: string;
}

export class Message {
  @IsString()
  message!: string;
}

export class Handled extends Message {
  note!: string;
}
