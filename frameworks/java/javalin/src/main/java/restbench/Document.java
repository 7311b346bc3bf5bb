package restbench;

import static com.fasterxml.jackson.annotation.Nulls.SET;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.javalin.openapi.OpenApiExample;
import io.javalin.openapi.OpenApiIgnore;
import io.javalin.openapi.OpenApiName;
import java.util.List;

/** A document of the registry. All fields but the first two may be missing. */
@JsonNaming(SnakeCaseStrategy.class)
record Document(
    @OpenApiExample("registry-001") String id,
    @OpenApiName("document_type") int documentType,
    @OpenApiName("string_array") @JsonSetter(nulls = SET) List<String> stringArray,
    @OpenApiName("int_array") @JsonSetter(nulls = SET) List<Integer> intArray,
    @OpenApiName("child_objects") @JsonSetter(nulls = SET) List<Child> childObjects) {

  /** A part of a document. */
  record Child(
      @OpenApiExample("registry-001-0") String id,
      @OpenApiExample("Birch Mill") @JsonSetter(nulls = SET) String name,
      @JsonSetter(nulls = SET) Integer number) {

    @OpenApiIgnore
    private Child anonymized() {
      return number != null && number < 100 ? new Child(id, name, 0) : this;
    }
  }

  /** With the small numbers of its children hidden. */
  @OpenApiIgnore
  Document anonymized() {
    if (childObjects == null) {
      return this;
    }
    var anonymous = childObjects.stream().map(Child::anonymized).toList();
    return new Document(id, documentType, stringArray, intArray, anonymous);
  }
}
