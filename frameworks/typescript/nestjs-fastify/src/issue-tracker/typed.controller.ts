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

import { Board, Task, TaskIn, User } from '../../../shared/models.js';
import { DataSource } from '../../../shared/source.js';

@Controller('api/v1')
@UsePipes(new ValidationPipe({ transform: true, whitelist: true }))
export class TypedController {
  constructor(private readonly source: DataSource) {}

  @Get('userinfo/typed/:id')
  async userinfo(@Param('id', ParseIntPipe) id: number): Promise<User> {
    return User.fromRow(await this.source.user(), id);
  }

  @Get('sprint/typed/:id')
  async sprint(@Param('id', ParseIntPipe) id: number): Promise<Board> {
    return Board.fromRow(await this.source.sprint(), id);
  }

  @Post('board/typed/:id/task')
  async createTask(
    @Param('id', ParseIntPipe) board: number,
    @Body() task: TaskIn,
  ): Promise<Task> {
    return Task.fromRow(await this.source.task(), board, task);
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
