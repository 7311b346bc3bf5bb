package restbench.shared;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
 *
 * <p>It replaces a database, so that an app waits as real apps do. It costs as little CPU time as
 * possible, because it is not measured. It returns plain values by the name of their column, as a
 * database driver does. Parts of rows are shared: do not change them. A process makes one data
 * source, when it starts.
 */
public final class DataSource {
  /** The fields of a task that a client sends. The tracker sets the other fields. */
  public static final List<String> TASK_FIELDS =
      List.of("summary", "description", "issue_type", "priority", "labels", "components");

  private final ConnectionPool pool = new ConnectionPool(Environment.POOL_SIZE);
  private final double latency = Double.parseDouble(Environment.POOL_LATENCY_MS);
  private final Fetches fetches = new Fetches();

  public CompletableFuture<Map<String, Object>> user() {
    return useConnection().thenApply(used -> fetches.user());
  }

  /** The sprint and its issues. */
  public CompletableFuture<Map<String, Object>> sprint() {
    return useConnection().thenApply(used -> fetches.sprint());
  }

  /** The fields of a new task that the tracker sets: its number, author, status, … */
  public CompletableFuture<Map<String, Object>> task() {
    return useConnection().thenApply(used -> fetches.task());
  }

  /** Takes as long as a write would, and keeps nothing. */
  public CompletableFuture<Void> saveTask(Object task) {
    return useConnection().thenRun(fetches::saveTask);
  }

  private CompletableFuture<Void> useConnection() {
    return pool.acquire()
        .thenCompose(acquired -> Waiting.milliseconds(latency))
        .thenRun(pool::release);
  }
}
