package restbench.shared;

import java.util.HashMap;
import java.util.Map;

/** Copies of the data source's rows with some other values. The copies share all other values with the row. */
public final class Rows {
  private Rows() {}

  public static Map<String, Object> with(Map<String, Object> row, Map<String, ?> changes) {
    var changed = new HashMap<>(row);
    changed.putAll(changes);
    return changed;
  }

  public static Map<String, Object> withSprintId(Map<String, Object> row, int id) {
    Map<String, Object> sprint = part(row, "sprint");
    return with(row, Map.of("sprint", with(sprint, Map.of("id", id))));
  }

  @SuppressWarnings("unchecked") // a row is as its table is declared
  static <T> T part(Map<String, Object> row, String column) {
    return (T) row.get(column);
  }
}
