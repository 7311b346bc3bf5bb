import { Body, Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';

import { wait } from '../../../shared/wait.js';
import {
  greeting,
  hashPassword,
  PROCESSING_MS,
  PROCESSING_NOTE,
  TIMED_MS,
} from '../../../shared/work.js';
import { TextPipe } from './text.pipe.js';

/** bcrypt and the queue have no other variant. */
@Controller('test')
export class RawController {
  @Post('simple/raw')
  @HttpCode(HttpStatus.OK)
  simple(@Body(new TextPipe('payload')) payload: string): object {
    return { payload: greeting(payload) };
  }

  @Post('timed/raw')
  @HttpCode(HttpStatus.OK)
  async timed(@Body(new TextPipe('payload')) payload: string): Promise<object> {
    await wait(TIMED_MS);
    return { payload: greeting(payload) };
  }

  @Post('bcrypt')
  @HttpCode(HttpStatus.OK)
  async bcrypt(
    @Body(new TextPipe('payload')) payload: string,
  ): Promise<object> {
    return { payload: await hashPassword(payload) };
  }

  @Post()
  @HttpCode(HttpStatus.OK)
  async queue(@Body(new TextPipe('message')) message: string): Promise<object> {
    await wait(PROCESSING_MS);
    return { message, note: PROCESSING_NOTE };
  }
}
