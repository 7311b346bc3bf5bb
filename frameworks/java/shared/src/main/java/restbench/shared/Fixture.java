package restbench.shared;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** A file with rows of the data source. The app ends at its start if the file does not fit. */
final class Fixture {
  private Fixture() {}

  static <T> List<T> rows(String name, TypeReference<List<T>> type) {
    var file = Environment.FIXTURES.resolve("issue-tracker").resolve(name);
    try {
      return Jackson.MAPPER.readValue(file.toFile(), type);
    } catch (JsonMappingException error) {
      var field = error.getPath().stream().map(Fixture::step).collect(Collectors.joining());
      System.err.println(name + field + ": " + error.getOriginalMessage());
    } catch (IOException error) {
      System.err.println(name + ": " + error.getMessage().replace("\n", ""));
    }
    System.exit(1);
    return null;
  }

  private static String step(Reference at) {
    return at.getFieldName() == null ? "[" + at.getIndex() + "]" : "." + at.getFieldName();
  }
}
