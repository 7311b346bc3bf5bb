import { Controller, Get, Param } from '@nestjs/common';

@Controller('test')
export class WorkloadController {
  @Get('status')
  status(): string {
    return 'OK';
  }

  @Get('labels/:label')
  label(@Param('label') label: string): string {
    return label;
  }
}
