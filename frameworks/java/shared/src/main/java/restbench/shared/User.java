package restbench.shared;

import static restbench.shared.DataSource.numbered;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

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

  public User withId(int id) {
    var text = sub + "-" + id;
    return new User(text, groupIds, givenName, name, email, phoneNumber, address, picture);
  }

  User withNumber(long number) {
    var text = numbered(picture, number);
    return new User(sub, groupIds, givenName, name, email, phoneNumber, address, text);
  }
}
