package restbench;

import static com.fasterxml.jackson.annotation.Nulls.FAIL;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * A document of the registry. All fields but the first two may be missing. Some have their names
 * here, because springdoc does not know the naming strategy of the app.
 */
record Document(
    @JsonSetter(nulls = FAIL) @Schema(example = "registry-001") String id,
    @JsonProperty("document_type") int documentType,
    @JsonProperty("string_array") List<String> stringArray,
    @JsonProperty("int_array") List<Integer> intArray,
    @JsonProperty("child_objects") List<Child> childObjects) {

  /** A part of a document. */
  record Child(
      @JsonSetter(nulls = FAIL) @Schema(example = "registry-001-0") String id,
      @Schema(example = "Birch Mill") String name,
      Integer number) {

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
