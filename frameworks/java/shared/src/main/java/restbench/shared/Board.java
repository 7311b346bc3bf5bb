package restbench.shared;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/** A sprint with its issues. */
public record Board(Sprint sprint, List<Issue> issues) {

  /** Some weeks of work. */
  public record Sprint(int id, String name, OffsetDateTime start, OffsetDateTime end) {

    Sprint withId(int id) {
      return new Sprint(id, name, start, end);
    }
  }

  /** A task as the board shows it. `assigned` is null where nobody is assigned. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Issue(
      int id,
      String summary,
      String descriptionShort,
      int index,
      int statusId,
      int storyPoints,
      Person assigned,
      OffsetDateTime modifiedAt) {}

  /** The board of the sprint with that id, from a row of the data source. */
  public static Board fromRow(Map<String, Object> row, int sprintId) {
    var board = Jackson.MAPPER.convertValue(row, Board.class);
    return new Board(board.sprint.withId(sprintId), board.issues);
  }
}
