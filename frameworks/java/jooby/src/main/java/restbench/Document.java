package restbench;

import static com.fasterxml.jackson.annotation.Nulls.SET;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A document of the registry. All fields but the first two may be missing. */
@JsonNaming(SnakeCaseStrategy.class)
record Document(
    @Schema(example = "registry-001") String id,
    @Schema(example = "1") int documentType,
    @Schema(example = "[\"Amber Quay\", \"Łąka Höhe\"]") @JsonSetter(nulls = SET)
        List<String> stringArray,
    @Schema(example = "[3, 1, 2]") @JsonSetter(nulls = SET) List<Integer> intArray,
    @JsonSetter(nulls = SET) List<Child> childObjects) {

  /** A part of a document. */
  record Child(
      @Schema(example = "registry-001-0") String id,
      @Schema(example = "Birch Mill") @JsonSetter(nulls = SET) String name,
      @Schema(example = "100") @JsonSetter(nulls = SET) Integer number) {

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
