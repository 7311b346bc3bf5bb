import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  ParseIntPipe,
  Post,
  Put,
} from '@nestjs/common';

import type { Row } from '../../../shared/rows.js';
import { DataSource } from '../../../shared/source.js';
import { TaskPipe } from './task.pipe.js';

@Controller('api/v1')
export class RawController {
  constructor(private readonly source: DataSource) {}

  @Get('userinfo/raw/:id')
  async userinfo(@Param('id', ParseIntPipe) id: number): Promise<Row> {
    const user = await this.source.user();
    return { ...user, sub: `${user.sub}-${id}` };
  }

  @Get('sprint/raw/:id')
  async sprint(@Param('id', ParseIntPipe) id: number): Promise<Row> {
    const board = await this.source.sprint();
    return { ...board, sprint: { ...board.sprint, id } };
  }

  @Post('board/raw/:id/task')
  async createTask(
    @Param('id', ParseIntPipe) board: number,
    @Body(TaskPipe) task: Row,
  ): Promise<Row> {
    return { ...(await this.source.task()), ...task, board };
  }

  @Put('board/raw/:id/task')
  @HttpCode(HttpStatus.NO_CONTENT)
  async updateTask(
    @Param('id', ParseIntPipe) board: number,
    @Body(TaskPipe) task: Row,
  ): Promise<void> {
    await this.source.saveTask(task);
  }
}
