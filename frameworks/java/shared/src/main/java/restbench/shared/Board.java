package restbench.shared;

import static com.fasterxml.jackson.annotation.JsonProperty.Access.READ_ONLY;
import static com.fasterxml.jackson.annotation.Nulls.SET;
import static restbench.shared.DataSource.numbered;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** A sprint with its issues. */
public record Board(Sprint sprint, List<Issue> issues) {

  /** Some weeks of work. Its row has no id. */
  public record Sprint(
      @JsonProperty(access = READ_ONLY) int id,
      String name,
      OffsetDateTime start,
      OffsetDateTime end) {}

  /** A task as the board shows it. `assigned` is null where nobody is assigned. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Issue(
      int id,
      String summary,
      String descriptionShort,
      int index,
      int statusId,
      int storyPoints,
      @JsonSetter(nulls = SET) Person assigned,
      OffsetDateTime modifiedAt) {

    private Issue withNumber(long number) {
      var text = numbered(descriptionShort, number);
      return new Issue(id, summary, text, index, statusId, storyPoints, assigned, modifiedAt);
    }
  }

  public Board withSprintId(int id) {
    return new Board(new Sprint(id, sprint.name, sprint.start, sprint.end), issues);
  }

  Board withNumber(long number) {
    var lent = new ArrayList<>(issues);
    int index = (int) (number % lent.size());
    lent.set(index, lent.get(index).withNumber(number));
    return new Board(sprint, lent);
  }
}
