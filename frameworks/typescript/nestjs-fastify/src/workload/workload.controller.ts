import { Controller, Get, Header, Param } from '@nestjs/common';

@Controller('test')
export class WorkloadController {
  @Get('status')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  status(): string {
    return 'OK';
  }

  @Get('labels/:label')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  label(@Param('label') label: string): string {
    return label;
  }
}
