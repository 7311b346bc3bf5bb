import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateOrReject } from 'class-validator';

import { Solr } from '../../../shared/solr.js';
import { Document } from './document.dto.js';

@Injectable()
export class RegistryService {
  constructor(private readonly solr: Solr) {}

  async documents(documentType: number): Promise<Document[]> {
    try {
      const found = await this.solr.select(documentType);
      const documents = plainToInstance(Document, found as object[]);
      for (const document of documents) {
        await validateOrReject(document, { whitelist: true });
      }
      return documents;
    } catch (cause) {
      const message = 'Solr gives no answer that can be used';
      throw new ServiceUnavailableException(message, { cause });
    }
  }

  async anonymousDocuments(): Promise<Document[]> {
    const documents = await this.documents(1);
    documents.forEach((document) => document.anonymize());
    return documents;
  }
}
