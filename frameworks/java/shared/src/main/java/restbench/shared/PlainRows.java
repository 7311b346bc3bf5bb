package restbench.shared;

import static restbench.shared.DataSource.numbered;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plain rows of the data source: values by the name of their column. */
public final class PlainRows {
  private PlainRows() {}

  @SuppressWarnings("unchecked") // a row is as its table is declared
  public static <T> T part(Map<String, Object> row, String column) {
    return (T) row.get(column);
  }

  /** A copy with the number in that column. It shares all other values with the row. */
  static Map<String, Object> withNumber(Map<String, Object> row, String column, long number) {
    var lent = new HashMap<>(row);
    lent.put(column, numbered(part(row, column), number));
    return lent;
  }

  static Map<String, Object> sprint(Map<String, Object> row, long number) {
    List<Map<String, Object>> issues = new ArrayList<>(part(row, "issues"));
    int index = (int) (number % issues.size());
    issues.set(index, withNumber(issues.get(index), "description_short", number));
    Map<String, Object> sprint = new HashMap<>(part(row, "sprint"));
    return new HashMap<>(Map.of("sprint", sprint, "issues", issues));
  }

  static Map<String, Object> task(Map<String, Object> row, long number) {
    var lent = new HashMap<>(row);
    lent.put("author", withNumber(part(row, "author"), "picture", number));
    return lent;
  }
}
