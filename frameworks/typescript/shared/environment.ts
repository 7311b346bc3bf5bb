const { env } = process;

/** The variables that an app is given (docs/CONTRACT.md), with their defaults. */
export const environment = {
  port: Number(env.PORT ?? 8080),
  workers: Number(env.WORKERS ?? 1),
  poolSize: Number(env.POOL_SIZE ?? 100),
  poolLatencyMs: Number(env.POOL_LATENCY_MS ?? 1),
  processingMs: Number(env.PROCESSING_MS ?? 0),
  solrUrl: env.SOLR_URL ?? 'http://localhost:8983/solr/performance',
  fixtures: env.FIXTURES ?? '/fixtures',
};
