package restbench.shared;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A task as the tracker keeps it. */
@JsonNaming(SnakeCaseStrategy.class)
public record Task(
    int id,
    int board,
    Person author,
    Person assigned,
    Project project,
    Status status,
    List<Activity> activity,
    OffsetDateTime createdAt,
    String summary,
    String description,
    String issueType,
    String priority,
    List<String> labels,
    List<String> components) {

  /** The project that a task belongs to. */
  public record Project(int id, String key, String name) {}

  /** How far a task has come. */
  public record Status(int id, String name, String category) {}

  /** A change that somebody made to a task. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Activity(
      int id, Person author, String kind, String message, OffsetDateTime createdAt) {}

  /** The task that a client sent to a board, from a row of the data source. */
  public static Task fromRow(Map<String, Object> row, int boardId, TaskIn sent) {
    var values = new HashMap<>(row);
    values.put("board", boardId);
    values.putAll(Jackson.MAPPER.convertValue(sent, Jackson.OBJECT));
    return Jackson.MAPPER.convertValue(values, Task.class);
  }
}
