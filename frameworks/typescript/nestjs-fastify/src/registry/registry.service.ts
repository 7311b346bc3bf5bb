import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';

import {
  Solr,
  type SolrAnswer,
  SolrUnavailable,
} from '../../../shared/solr.js';
import { Document } from './document.dto.js';

@Injectable()
export class RegistryService {
  constructor(private readonly solr: Solr) {}

  async documents(documentType: number): Promise<Document[]> {
    const { response } = await this.select(documentType);
    return plainToInstance(Document, [...response.docs], {
      excludeExtraneousValues: true,
    });
  }

  async anonymousDocuments(): Promise<Document[]> {
    const documents = await this.documents(1);
    documents.forEach((document) => document.anonymize());
    return documents;
  }

  private async select(documentType: number): Promise<SolrAnswer> {
    try {
      return await this.solr.select(documentType);
    } catch (error) {
      if (error instanceof SolrUnavailable) {
        throw new ServiceUnavailableException(error.message, { cause: error });
      }
      throw error;
    }
  }
}
