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

  @SuppressWarnings("unchecked") // a row is as its table is declared
  public static Map<String, Object> withSprintId(Map<String, Object> row, int id) {
    var sprint = (Map<String, Object>) row.get("sprint");
    return with(row, Map.of("sprint", with(sprint, Map.of("id", id))));
  }
}
