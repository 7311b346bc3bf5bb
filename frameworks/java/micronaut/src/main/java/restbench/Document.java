package restbench;

import static com.fasterxml.jackson.annotation.Nulls.FAIL;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.micronaut.core.annotation.Nullable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A document of the registry. All fields but the first two may be missing. */
@JsonNaming(SnakeCaseStrategy.class)
record Document(
    @JsonSetter(nulls = FAIL) @Schema(example = "registry-001") String id,
    @JsonSetter(nulls = FAIL) int documentType,
    @Nullable List<String> stringArray,
    @Nullable List<Integer> intArray,
    @Nullable List<Child> childObjects) {

  /** A part of a document. */
  record Child(
      @JsonSetter(nulls = FAIL) @Schema(example = "registry-001-0") String id,
      @Schema(example = "Birch Mill") @Nullable String name,
      @Nullable Integer number) {

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
