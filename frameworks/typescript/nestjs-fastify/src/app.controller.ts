import {
  Controller,
  Get,
  Header,
  HttpCode,
  HttpStatus,
  Param,
  ParseIntPipe,
  Post,
  Put,
} from '@nestjs/common';

interface Part {
  part: number;
}

function tenRoutes(method: string): string[] {
  return Array.from({ length: 10 }, (_, n) => `route-${method}-${n}/:part`);
}

@Controller()
export class AppController {
  @Get('hello_world')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  helloWorld(): string {
    return 'Hello World';
  }

  @Get(tenRoutes('get'))
  readPart(@Param('part', ParseIntPipe) part: number): Part {
    return { part };
  }

  @Post(tenRoutes('post'))
  @HttpCode(HttpStatus.OK)
  createPart(@Param('part', ParseIntPipe) part: number): Part {
    return { part };
  }

  @Put(tenRoutes('put'))
  replacePart(@Param('part', ParseIntPipe) part: number): Part {
    return { part };
  }
}
