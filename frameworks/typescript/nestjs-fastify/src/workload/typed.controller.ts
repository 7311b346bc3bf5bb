import {
  Body,
  Controller,
  HttpCode,
  HttpStatus,
  Post,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';

import { wait } from '../../../shared/wait.js';
import { greeting, TIMED_MS } from '../../../shared/work.js';
import { Payload } from './payload.dto.js';

@Controller('test')
@UsePipes(new ValidationPipe({ transform: true, whitelist: true }))
export class TypedController {
  @Post('simple/typed')
  @HttpCode(HttpStatus.OK)
  simple(@Body() { payload }: Payload): Payload {
    return { payload: greeting(payload) };
  }

  @Post('timed/typed')
  @HttpCode(HttpStatus.OK)
  async timed(@Body() { payload }: Payload): Promise<Payload> {
    await wait(TIMED_MS);
    return { payload: greeting(payload) };
  }
}
