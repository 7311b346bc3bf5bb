package restbench.shared;

import org.springframework.security.crypto.bcrypt.BCrypt;

/**
 * The business logic of the suite workload, the same in every entry. The framework decides how to
 * run it.
 */
public final class Work {
  public static final double TIMED_MS = 20;
  public static final double PROCESSING_MS = Double.parseDouble(Environment.PROCESSING_MS);
  public static final String PROCESSING_NOTE = "handled for " + Environment.PROCESSING_MS + " ms";

  private Work() {}

  public static String greeting(String payload) {
    return "Hello, " + payload;
  }

  /**
   * Takes tens of milliseconds of CPU time. Call it in a thread that may be blocked, not on an event
   * loop.
   */
  public static String hashPassword(String payload) {
    return BCrypt.hashpw(payload, BCrypt.gensalt(10));
  }
}
