import { Module } from '@nestjs/common';

import { DataSource } from '../../../shared/source.js';
import { RawController } from './raw.controller.js';
import { TypedController } from './typed.controller.js';

@Module({
  controllers: [RawController, TypedController],
  providers: [DataSource],
})
export class IssueTrackerModule {}
