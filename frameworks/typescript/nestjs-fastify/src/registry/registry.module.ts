import { Module } from '@nestjs/common';

import { Solr } from '../../../shared/solr.js';
import { RegistryController } from './registry.controller.js';
import { RegistryService } from './registry.service.js';

@Module({
  controllers: [RegistryController],
  providers: [RegistryService, Solr],
})
export class RegistryModule {}
