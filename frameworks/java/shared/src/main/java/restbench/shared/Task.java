package restbench.shared;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.time.OffsetDateTime;
import java.util.List;

/** A task as the tracker keeps it. In JSON, its parts are one object. */
public record Task(int board, @JsonUnwrapped Row row, @JsonUnwrapped TaskIn sent) {

  /** The fields of a task that the tracker sets. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Row(
      int id,
      Person author,
      Person assigned,
      Project project,
      Status status,
      List<Activity> activity,
      OffsetDateTime createdAt) {

    Row withNumber(long number) {
      return new Row(
          id, author.withNumber(number), assigned, project, status, activity, createdAt);
    }
  }

  /** The project that a task belongs to. */
  public record Project(int id, String key, String name) {}

  /** How far a task has come. */
  public record Status(int id, String name, String category) {}

  /** A change that somebody made to a task. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Activity(
      int id, Person author, String kind, String message, OffsetDateTime createdAt) {}
}
