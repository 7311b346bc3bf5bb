import { Module } from '@nestjs/common';

import { AppController } from './app.controller.js';
import { IssueTrackerModule } from './issue-tracker/issue-tracker.module.js';
import { RegistryModule } from './registry/registry.module.js';
import { WorkloadModule } from './workload/workload.module.js';

@Module({
  imports: [IssueTrackerModule, WorkloadModule, RegistryModule],
  controllers: [AppController],
})
export class AppModule {}
