package restbench.shared;

/**
 * Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error.
 */
public final class SolrUnavailable extends RuntimeException {
  SolrUnavailable(Throwable cause) {
    super("Solr does not answer", cause);
  }

  SolrUnavailable(int status) {
    super("Solr answers with status " + status);
  }
}
