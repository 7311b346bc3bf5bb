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

import type { BoardRow, TaskRow, UserRow } from '../../../shared/rows.js';
import { DataSource } from '../../../shared/source.js';
import { TaskPipe } from './task.pipe.js';

@Controller('api/v1')
export class RawController {
  constructor(private readonly source: DataSource) {}

  @Get('userinfo/raw/:id')
  async userinfo(@Param('id', ParseIntPipe) id: number): Promise<UserRow> {
    const user = await this.source.plainUser();
    user.sub = `${user.sub}-${id}`;
    return user;
  }

  @Get('sprint/raw/:id')
  async sprint(@Param('id', ParseIntPipe) id: number): Promise<BoardRow> {
    const board = await this.source.plainBoard();
    board.sprint.id = id;
    return board;
  }

  @Post('board/raw/:id/task')
  async createTask(
    @Param('id', ParseIntPipe) board: number,
    @Body(TaskPipe) sent: object,
  ): Promise<TaskRow> {
    const task = await this.source.plainTask();
    return Object.assign(task, sent, { board });
  }

  @Put('board/raw/:id/task')
  @HttpCode(HttpStatus.NO_CONTENT)
  async updateTask(
    @Param('id', ParseIntPipe) board: number,
    @Body(TaskPipe) task: object,
  ): Promise<void> {
    await this.source.saveTask(task);
  }
}
