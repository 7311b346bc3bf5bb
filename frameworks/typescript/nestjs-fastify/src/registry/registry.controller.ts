import { Controller, Get, ParseIntPipe, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiServiceUnavailableResponse,
} from '@nestjs/swagger';

import { Document } from './document.dto.js';
import { Int32Pipe, MAX, MIN } from './int32.pipe.js';
import { RegistryService } from './registry.service.js';

@Controller()
@ApiServiceUnavailableResponse({
  description: 'Solr gives no answer that can be used',
})
export class RegistryController {
  constructor(private readonly registry: RegistryService) {}

  @Get('json_serialization/typed')
  @ApiOperation({ summary: 'Documents of a type, as they are' })
  @ApiQuery({
    name: 'document_type',
    description: 'The type of the documents to return',
    schema: {
      type: 'integer',
      format: 'int32',
      minimum: MIN,
      maximum: MAX,
      example: 1,
    },
  })
  @ApiOkResponse({ type: [Document] })
  @ApiBadRequestResponse({ description: 'document_type is not one integer' })
  documents(
    @Query('document_type', ParseIntPipe, Int32Pipe) documentType: number,
  ): Promise<Document[]> {
    return this.registry.documents(documentType);
  }

  @Get('anonymization/typed')
  @ApiOperation({ summary: 'Documents with small numbers hidden' })
  @ApiOkResponse({ type: [Document] })
  anonymousDocuments(): Promise<Document[]> {
    return this.registry.anonymousDocuments();
  }
}
