package restbench.shared;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Waiting that blocks no thread. */
public final class Waiting {
  /** The threads that continue requests when their wait ends: after a delay, or with Solr's answer. */
  static final ScheduledExecutorService THREADS =
      Executors.newScheduledThreadPool(Environment.WORKERS, Waiting::daemon);

  private Waiting() {}

  /** Completes when that many milliseconds have passed. They may be a fraction. */
  public static CompletableFuture<Void> milliseconds(double milliseconds) {
    var passed = new CompletableFuture<Void>();
    if (milliseconds > 0) {
      long nanoseconds = Math.round(milliseconds * 1e6);
      THREADS.schedule(() -> passed.complete(null), nanoseconds, TimeUnit.NANOSECONDS);
    } else {
      passed.complete(null);
    }
    return passed;
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "waiting");
    thread.setDaemon(true);
    return thread;
  }
}
