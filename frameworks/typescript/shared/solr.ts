import { Pool } from 'undici';

import { environment } from './environment.js';

/** Shorter than the 2 s within which an app has to say that Solr does not answer. */
const TIMEOUT_MS = 1500;

/** A request that waits for its connection is not ended by its signal: the connection has to give up in time itself. */
const CONNECT_TIMEOUT_MS = 1000;

/** More than requests that come at a time: none waits for a connection. */
const CONNECTIONS = 100;

const FIELDS =
  'id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]';

/** Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error. */
export class SolrUnavailable extends Error {}

/** What is used of Solr's answer. */
export interface SolrAnswer {
  readonly response: { readonly docs: readonly object[] };
}

/** Solr over a pool of connections that are kept alive. One per process. */
export class Solr {
  private readonly url = new URL(environment.solrUrl);
  private readonly pool = new Pool(this.url.origin, {
    connections: CONNECTIONS,
    connectTimeout: CONNECT_TIMEOUT_MS,
  });

  /** The documents of a type with their children nested. Throws SolrUnavailable. */
  async select(documentType: number): Promise<SolrAnswer> {
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
      return (await body.json()) as SolrAnswer;
    } catch (cause) {
      throw new SolrUnavailable('Solr does not answer', { cause });
    }
  }
}
