import { Module } from '@nestjs/common';

import { RawController } from './raw.controller.js';
import { TypedController } from './typed.controller.js';
import { WorkloadController } from './workload.controller.js';

@Module({ controllers: [WorkloadController, RawController, TypedController] })
export class WorkloadModule {}
