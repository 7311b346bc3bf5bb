package restbench;

import static io.javalin.apibuilder.ApiBuilder.get;
import static io.javalin.apibuilder.ApiBuilder.post;

import io.javalin.apibuilder.EndpointGroup;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import java.util.Map;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies plain maps. What has no variants is here too. */
final class WorkloadRaw implements EndpointGroup {
  @Override
  public void addEndpoints() {
    post("/simple/raw", WorkloadRaw::simple);
    post("/timed/raw", WorkloadRaw::timed);
    post("/bcrypt", WorkloadRaw::bcrypt);
    get("/status", ctx -> ctx.result("OK"));
    get("/labels/{label}", ctx -> ctx.result(ctx.pathParam("label")));
    post(WorkloadRaw::queue);
  }

  private static void simple(Context ctx) {
    String payload = textOf(ctx, "payload");
    ctx.json(Map.of("payload", Work.greeting(payload)));
  }

  private static void timed(Context ctx) {
    String payload = textOf(ctx, "payload");
    ctx.future(
        () ->
            Waiting.milliseconds(Work.TIMED_MS)
                .thenAccept(waited -> ctx.json(Map.of("payload", Work.greeting(payload)))));
  }

  /** Hashes in one of the server's threads, which may be blocked. */
  private static void bcrypt(Context ctx) {
    String payload = textOf(ctx, "payload");
    ctx.json(Map.of("payload", Work.hashPassword(payload)));
  }

  private static void queue(Context ctx) {
    String message = textOf(ctx, "message");
    var handled = Map.of("message", message, "note", Work.PROCESSING_NOTE);
    ctx.future(
        () -> Waiting.milliseconds(Work.PROCESSING_MS).thenAccept(waited -> ctx.json(handled)));
  }

  /** The text under that key of the body. */
  private static String textOf(Context ctx, String key) {
    Map<?, ?> body = ctx.bodyValidator(Map.class).get();
    if (body.get(key) instanceof String value) {
      return value;
    }
    throw new BadRequestResponse(key + " is missing, or no text");
  }
}
