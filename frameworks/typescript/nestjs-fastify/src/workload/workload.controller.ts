import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';

import { wait } from '../../../shared/wait.js';
import {
  greeting,
  hashPassword,
  PROCESSING_MS,
  PROCESSING_NOTE,
  TIMED_MS,
} from '../../../shared/work.js';
import { Handled, Message, Payload } from './workload.dto.js';

@Controller('test')
@UsePipes(new ValidationPipe({ transform: true, whitelist: true }))
export class WorkloadController {
  @Post('simple')
  @HttpCode(HttpStatus.OK)
  simple(@Body() { payload }: Payload): Payload {
    return { payload: greeting(payload) };
  }

  @Post('timed')
  @HttpCode(HttpStatus.OK)
  async timed(@Body() { payload }: Payload): Promise<Payload> {
    await wait(TIMED_MS);
    return { payload: greeting(payload) };
  }

  @Post('bcrypt')
  @HttpCode(HttpStatus.OK)
  async bcrypt(@Body() { payload }: Payload): Promise<Payload> {
    return { payload: await hashPassword(payload) };
  }

  @Get('status')
  status(): string {
    return 'OK';
  }

  @Get('labels/:label')
  label(@Param('label') label: string): string {
    return label;
  }

  @Post()
  @HttpCode(HttpStatus.OK)
  async queue(@Body() { message }: Message): Promise<Handled> {
    await wait(PROCESSING_MS);
    return { message, note: PROCESSING_NOTE };
  }
}
