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
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';

import type { Board, Task, User } from '../../../shared/models.js';
import { DataSource } from '../../../shared/source.js';
import { TaskIn } from './task.dto.js';

@Controller('api/v1')
@UsePipes(new ValidationPipe({ transform: true, whitelist: true }))
export class TypedController {
  constructor(private readonly source: DataSource) {}

  @Get('userinfo/typed/:id')
  async userinfo(@Param('id', ParseIntPipe) id: number): Promise<User> {
    const user = await this.source.typedUser();
    user.sub = `${user.sub}-${id}`;
    return user;
  }

  @Get('sprint/typed/:id')
  async sprint(@Param('id', ParseIntPipe) id: number): Promise<Board> {
    const board = await this.source.typedBoard();
    board.sprint.id = id;
    return board;
  }

  @Post('board/typed/:id/task')
  async createTask(
    @Param('id', ParseIntPipe) board: number,
    @Body() sent: TaskIn,
  ): Promise<Task> {
    const task = await this.source.typedTask();
    return Object.assign(task, sent, { board });
  }

  @Put('board/typed/:id/task')
  @HttpCode(HttpStatus.NO_CONTENT)
  async updateTask(
    @Param('id', ParseIntPipe) board: number,
    @Body() task: TaskIn,
  ): Promise<void> {
    await this.source.saveTask(task);
  }
}
