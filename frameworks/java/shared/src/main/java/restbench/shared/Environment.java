package restbench.shared;

import java.nio.file.Path;

/** The variables that an app is started with. */
public final class Environment {
  public static final int PORT = Integer.parseInt(variable("PORT", "8080"));
  public static final int WORKERS = Integer.parseInt(variable("WORKERS", "1"));
  static final int POOL_SIZE = Integer.parseInt(variable("POOL_SIZE", "100"));
  static final String POOL_LATENCY_MS = variable("POOL_LATENCY_MS", "1");
  static final String PROCESSING_MS = variable("PROCESSING_MS", "0");
  static final String SOLR_URL = variable("SOLR_URL", "http://localhost:8983/solr/performance");
  static final Path FIXTURES = Path.of(variable("FIXTURES", "/fixtures"));

  private Environment() {}

  private static String variable(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }
}
