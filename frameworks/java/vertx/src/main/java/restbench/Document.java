package restbench;

import static com.fasterxml.jackson.annotation.Nulls.SET;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/** A document of the registry. All fields but the first two may be missing. */
@JsonNaming(SnakeCaseStrategy.class)
record Document(
    String id,
    int documentType,
    @JsonSetter(nulls = SET) List<String> stringArray,
    @JsonSetter(nulls = SET) List<Integer> intArray,
    @JsonSetter(nulls = SET) List<Child> childObjects) {

  /** A part of a document. */
  record Child(
      String id,
      @JsonSetter(nulls = SET) String name,
      @JsonSetter(nulls = SET) Integer number) {

    private Child anonymized() {
      return number != null && number < 100 ? new Child(id, name, 0) : this;
    }
  }

  /** With the small numbers of its children hidden. */
  Document anonymized() {
    if (childObjects == null) {
      return this;
    }
    var anonymous = childObjects.stream().map(Child::anonymized).toList();
    return new Document(id, documentType, stringArray, intArray, anonymous);
  }
}
