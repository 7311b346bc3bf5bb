package restbench.shared;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The user who is logged in. */
@JsonNaming(SnakeCaseStrategy.class)
public record User(
    String sub,
    List<Integer> groupIds,
    String givenName,
    String name,
    String email,
    String phoneNumber,
    Address address,
    String picture) {

  /** Where a user lives, as lines of text. */
  public record Address(String formatted) {}

  /** The user with that id, from a row of the data source. */
  public static User fromRow(Map<String, Object> row, int userId) {
    var values = new HashMap<>(row);
    values.put("sub", row.get("sub") + "-" + userId);
    return Jackson.MAPPER.convertValue(values, User.class);
  }
}
