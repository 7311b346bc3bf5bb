package restbench.shared;

import static restbench.shared.Rows.part;
import static restbench.shared.Rows.with;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the rows of fetches. The number of the fetch ends one text of each row (docs/CONTRACT.md).
 */
final class Fetches {
  private final Map<String, Object> user = read("user.json");
  private final Map<String, Object> sprint = read("sprint.json");
  private final Map<String, Object> task = read("task.json");
  private final List<Map<String, Object>> issues = part(sprint, "issues");
  private final Map<String, Object> author = part(task, "author");
  private final String userPicture = withoutEnd(user, "picture");
  private final String authorPicture = withoutEnd(author, "picture");
  private final List<String> descriptions =
      issues.stream().map(issue -> withoutEnd(issue, "description_short")).toList();
  private final AtomicLong numbers =
      new AtomicLong(new SecureRandom().nextLong(1_000_000_000L, 9_000_000_000L));

  Map<String, Object> user() {
    return with(user, Map.of("picture", userPicture + number()));
  }

  Map<String, Object> sprint() {
    long number = number();
    int index = (int) (number % issues.size());
    String description = descriptions.get(index) + number;
    var changed = new ArrayList<>(issues);
    changed.set(index, with(issues.get(index), Map.of("description_short", description)));
    return with(sprint, Map.of("issues", changed));
  }

  Map<String, Object> task() {
    var changed = with(author, Map.of("picture", authorPicture + number()));
    return with(task, Map.of("author", changed));
  }

  void saveTask() {
    number();
  }

  private long number() {
    return numbers.getAndIncrement();
  }

  /** A text without its last ten characters, where the number of a fetch stands. */
  private static String withoutEnd(Map<String, Object> row, String column) {
    String text = part(row, column);
    return text.substring(0, text.offsetByCodePoints(text.length(), -10));
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
