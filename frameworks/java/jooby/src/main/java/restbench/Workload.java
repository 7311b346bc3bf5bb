package restbench;

import static io.jooby.MediaType.text;

import io.jooby.Jooby;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time. */
final class Workload extends Jooby {
  record Payload(String payload) {}

  record Message(String message) {}

  record Handled(String message, String note) {}

  {
    post(
        "/simple",
        ctx -> {
          var sent = ctx.body(Payload.class);
          return new Payload(Work.greeting(sent.payload));
        });

    post(
        "/timed",
        ctx -> {
          var sent = ctx.body(Payload.class);
          return Waiting.milliseconds(Work.TIMED_MS)
              .thenApply(waited -> new Payload(Work.greeting(sent.payload)));
        });

    // on a worker's thread, as it keeps a CPU busy
    dispatch(
        () ->
            post(
                "/bcrypt",
                ctx -> {
                  var sent = ctx.body(Payload.class);
                  return new Payload(Work.hashPassword(sent.payload));
                }));

    get("/status", ctx -> ctx.setResponseType(text).send("OK"));

    get("/labels/{label}", ctx -> ctx.setResponseType(text).send(ctx.path("label").value()));

    post(
        "/",
        ctx -> {
          var sent = ctx.body(Message.class);
          return Waiting.milliseconds(Work.PROCESSING_MS)
              .thenApply(waited -> new Handled(sent.message, Work.PROCESSING_NOTE));
        });
  }
}
