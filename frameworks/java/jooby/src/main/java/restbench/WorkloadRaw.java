package restbench;

import static io.jooby.MediaType.text;

import io.jooby.Context;
import io.jooby.Jooby;
import io.jooby.Reified;
import io.jooby.exception.BadRequestException;
import java.lang.reflect.Type;
import java.util.Map;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies plain maps. What has no variants is here too. */
final class WorkloadRaw extends Jooby {
  private static final Type OBJECT = Reified.map(String.class, Object.class).getType();

  {
    post(
        "/simple/raw",
        ctx -> {
          String payload = textOf(ctx, "payload");
          return Map.of("payload", Work.greeting(payload));
        });

    post(
        "/timed/raw",
        ctx -> {
          String payload = textOf(ctx, "payload");
          return Waiting.milliseconds(Work.TIMED_MS)
              .thenApply(waited -> Map.of("payload", Work.greeting(payload)));
        });

    // on a worker's thread, as it keeps a CPU busy
    dispatch(
        () ->
            post(
                "/bcrypt",
                ctx -> {
                  String payload = textOf(ctx, "payload");
                  return Map.of("payload", Work.hashPassword(payload));
                }));

    get("/status", ctx -> ctx.setResponseType(text).send("OK"));

    get("/labels/{label}", ctx -> ctx.setResponseType(text).send(ctx.path("label").value()));

    post(
        "/",
        ctx -> {
          String message = textOf(ctx, "message");
          return Waiting.milliseconds(Work.PROCESSING_MS)
              .thenApply(waited -> Map.of("message", message, "note", Work.PROCESSING_NOTE));
        });
  }

  /** The text under that key of the body. */
  private static String textOf(Context ctx, String key) {
    Map<String, Object> body = ctx.body(OBJECT);
    if (body.get(key) instanceof String value) {
      return value;
    }
    throw new BadRequestException(key + " is missing, or no text");
  }
}
