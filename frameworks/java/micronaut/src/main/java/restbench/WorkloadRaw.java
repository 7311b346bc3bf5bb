package restbench;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies plain maps. What has no variants is here too. */
@Controller("/test")
class WorkloadRaw {
  @Post("/simple/raw")
  Map<String, String> simple(@Body Map<String, Object> body) {
    String payload = textOf(body, "payload");
    return Map.of("payload", Work.greeting(payload));
  }

  @Post("/timed/raw")
  CompletableFuture<Map<String, String>> timed(@Body Map<String, Object> body) {
    String payload = textOf(body, "payload");
    return Waiting.milliseconds(Work.TIMED_MS)
        .thenApply(waited -> Map.of("payload", Work.greeting(payload)));
  }

  @Post("/bcrypt")
  @ExecuteOn("hashing")
  Map<String, String> bcrypt(@Body Map<String, Object> body) {
    String payload = textOf(body, "payload");
    return Map.of("payload", Work.hashPassword(payload));
  }

  @Get("/status")
  @Produces(Hello.TEXT)
  String status() {
    return "OK";
  }

  @Get("/labels/{label}")
  @Produces(Hello.TEXT)
  String label(String label) {
    return label;
  }

  @Post
  CompletableFuture<Map<String, String>> queue(@Body Map<String, Object> body) {
    String message = textOf(body, "message");
    return Waiting.milliseconds(Work.PROCESSING_MS)
        .thenApply(waited -> Map.of("message", message, "note", Work.PROCESSING_NOTE));
  }

  /** The text under that key of the body. */
  private static String textOf(Map<String, Object> body, String key) {
    if (body.get(key) instanceof String value) {
      return value;
    }
    throw new HttpStatusException(HttpStatus.BAD_REQUEST, key + " is missing, or no text");
  }
}
