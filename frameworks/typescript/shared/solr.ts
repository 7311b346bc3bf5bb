import { Pool } from 'undici';

import { environment } from './environment.js';

/** An app has 2 s to say that Solr does not answer. This is shorter. */
const TIMEOUT_MS = 1500;

/** The signal does not end a request that waits for its connection. So the connection needs a time limit of its own. */
const CONNECT_TIMEOUT_MS = 1000;

/** More than the number of requests at the same time, so that none waits for a connection. */
const CONNECTIONS = 100;

const FIELDS =
  'id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]';

/** Solr, or the cache in front of it, cannot be reached, takes too long, or gives no answer that can be used. */
export class SolrUnavailable extends Error {}

/** A client of Solr with a pool of connections that are kept alive. A process has one. */
export class Solr {
  private readonly url = new URL(environment.solrUrl);
  private readonly pool = new Pool(this.url.origin, {
    connections: CONNECTIONS,
    connectTimeout: CONNECT_TIMEOUT_MS,
  });

  /** Returns Solr's documents of a type, with their children nested, unchecked. Throws SolrUnavailable. */
  async select(documentType: number): Promise<unknown> {
    // a bare minus sign is an operator of Solr's query language
    const type = String(documentType).replace('-', '\\-');
    const parameters = new URLSearchParams({
      fl: FIELDS,
      q: '*:*',
      rows: '100',
      fq: `document_type:${type}`,
    });
    try {
      const { statusCode, body } = await this.pool.request({
        method: 'GET',
        path: `${this.url.pathname}/select?${parameters}`,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (statusCode !== 200) {
        await body.dump();
        throw new Error(`Solr answers with status ${statusCode}`);
      }
      const answer: any = await body.json();
      return answer.response.docs;
    } catch (cause) {
      throw new SolrUnavailable('Solr does not answer', { cause });
    }
  }
}
