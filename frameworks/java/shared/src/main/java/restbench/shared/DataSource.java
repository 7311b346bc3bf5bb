package restbench.shared;

import com.fasterxml.jackson.core.type.TypeReference;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The emulated data source. It has a pool of connections, and a fetch holds one of them for a while.
 *
 * <p>It replaces a database, so that an app waits as real apps do. It costs as little CPU time as
 * possible, because it is not measured. It lends typed rows, and plain rows, which are maps. The
 * number of the fetch chooses the row and ends one of its texts (docs/CONTRACT.md). All other parts
 * of rows are shared: do not change them. A process makes one data source, when it starts.
 */
public final class DataSource {
  /** The fields of a task that a client sends. The tracker sets the other fields. */
  public static final List<String> TASK_FIELDS =
      List.of("summary", "description", "issue_type", "priority", "labels", "components");

  private final List<User> users = Fixture.rows("users.json", new TypeReference<>() {});
  private final List<Board> sprints = Fixture.rows("sprints.json", new TypeReference<>() {});
  private final List<Task.Row> tasks = Fixture.rows("tasks.json", new TypeReference<>() {});
  private final List<Map<String, Object>> plainUsers =
      Fixture.rows("users.json", new TypeReference<>() {});
  private final List<Map<String, Object>> plainSprints =
      Fixture.rows("sprints.json", new TypeReference<>() {});
  private final List<Map<String, Object>> plainTasks =
      Fixture.rows("tasks.json", new TypeReference<>() {});

  private final ConnectionPool pool = new ConnectionPool(Environment.POOL_SIZE);
  private final double latency = Double.parseDouble(Environment.POOL_LATENCY_MS);
  private final AtomicLong numbers =
      new AtomicLong(new SecureRandom().nextLong(1_000_000_000L, 9_000_000_000L));

  public CompletableFuture<User> user() {
    return fetch().thenApply(number -> row(users, number).withNumber(number));
  }

  /** The sprint and its issues. */
  public CompletableFuture<Board> sprint() {
    return fetch().thenApply(number -> row(sprints, number).withNumber(number));
  }

  /** The fields of a new task that the tracker sets: its number, author, status, … */
  public CompletableFuture<Task.Row> task() {
    return fetch().thenApply(number -> row(tasks, number).withNumber(number));
  }

  public CompletableFuture<Map<String, Object>> plainUser() {
    return fetch()
        .thenApply(number -> PlainRows.withNumber(row(plainUsers, number), "picture", number));
  }

  public CompletableFuture<Map<String, Object>> plainSprint() {
    return fetch().thenApply(number -> PlainRows.sprint(row(plainSprints, number), number));
  }

  public CompletableFuture<Map<String, Object>> plainTask() {
    return fetch().thenApply(number -> PlainRows.task(row(plainTasks, number), number));
  }

  /** Takes as long as a write would, and keeps nothing. */
  public CompletableFuture<?> saveTask(Object task) {
    return fetch();
  }

  /** Holds a connection for a while, and then gives the number of the fetch. */
  private CompletableFuture<Long> fetch() {
    return pool.acquire()
        .thenCompose(acquired -> Waiting.milliseconds(latency))
        .thenRun(pool::release)
        .thenApply(released -> numbers.getAndIncrement());
  }

  private static <T> T row(List<T> rows, long number) {
    return rows.get((int) (number % rows.size()));
  }

  /** The text with the number in place of its last ten characters. */
  static String numbered(String text, long number) {
    return text.substring(0, text.length() - 10) + number;
  }
}
