package restbench;

import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies plain maps. What has no variants is here too. */
@Path("/test")
public class WorkloadRaw {
  @POST
  @Path("/simple/raw")
  public Map<String, String> simple(@NotNull Map<String, Object> body) {
    return Map.of("payload", Work.greeting(textOf(body, "payload")));
  }

  @POST
  @Path("/timed/raw")
  public CompletionStage<Map<String, String>> timed(@NotNull Map<String, Object> body) {
    String payload = textOf(body, "payload");
    return Waiting.milliseconds(Work.TIMED_MS)
        .thenApply(waited -> Map.of("payload", Work.greeting(payload)));
  }

  /** Runs on a worker thread, as all methods that return a value and no stage. */
  @POST
  @Path("/bcrypt")
  public Map<String, String> bcrypt(@NotNull Map<String, Object> body) {
    return Map.of("payload", Work.hashPassword(textOf(body, "payload")));
  }

  @GET
  @Path("/status")
  public String status() {
    return "OK";
  }

  @GET
  @Path("/labels/{label}")
  public String label(String label) {
    return label;
  }

  @POST
  public CompletionStage<Map<String, String>> queue(@NotNull Map<String, Object> body) {
    String message = textOf(body, "message");
    return Waiting.milliseconds(Work.PROCESSING_MS)
        .thenApply(waited -> Map.of("message", message, "note", Work.PROCESSING_NOTE));
  }

  /** The text under that key of the body. */
  private static String textOf(Map<String, Object> body, String key) {
    if (body.get(key) instanceof String value) {
      return value;
    }
    throw new BadRequestException(key + " is missing, or no text");
  }
}
