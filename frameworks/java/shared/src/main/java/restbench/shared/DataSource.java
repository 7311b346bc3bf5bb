package restbench.shared;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
 *
 * <p>It replaces a database, so that an app waits as real apps do. It costs as little CPU time as
 * possible, because it is not measured. It returns plain values by the name of their column, as a
 * database driver does. Rows are shared: do not change them. A process makes one data source, when
 * it starts.
 */
public final class DataSource {
  /** The fields of a task that a client sends. The tracker sets the other fields. */
  public static final List<String> TASK_FIELDS =
      List.of("summary", "description", "issue_type", "priority", "labels", "components");

  private final ConnectionPool pool = new ConnectionPool(Environment.POOL_SIZE);
  private final double latency = Double.parseDouble(Environment.POOL_LATENCY_MS);
  private final Map<String, Object> user = read("user.json");
  private final Map<String, Object> sprint = read("sprint.json");
  private final Map<String, Object> task = read("task.json");

  public CompletableFuture<Map<String, Object>> user() {
    return useConnection().thenApply(used -> user);
  }

  /** The sprint and its issues. */
  public CompletableFuture<Map<String, Object>> sprint() {
    return useConnection().thenApply(used -> sprint);
  }

  /** The fields of a new task that the tracker sets: its number, author, status, … */
  public CompletableFuture<Map<String, Object>> task() {
    return useConnection().thenApply(used -> task);
  }

  /** Takes as long as a write would, and keeps nothing. */
  public CompletableFuture<Void> saveTask(Object task) {
    return useConnection();
  }

  private CompletableFuture<Void> useConnection() {
    return pool.acquire()
        .thenCompose(acquired -> Waiting.milliseconds(latency))
        .thenRun(pool::release);
  }

  private static Map<String, Object> read(String name) {
    var file = Environment.FIXTURES.resolve("issue-tracker").resolve(name);
    try {
      return Jackson.MAPPER.readValue(file.toFile(), Jackson.OBJECT);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
