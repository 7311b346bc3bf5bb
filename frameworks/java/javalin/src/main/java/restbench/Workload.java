package restbench;

import static io.javalin.apibuilder.ApiBuilder.get;
import static io.javalin.apibuilder.ApiBuilder.post;

import io.javalin.apibuilder.EndpointGroup;
import io.javalin.http.Context;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time. */
final class Workload implements EndpointGroup {
  record Payload(String payload) {}

  record Message(String message) {}

  record Handled(String message, String note) {}

  @Override
  public void addEndpoints() {
    post("/simple", Workload::simple);
    post("/timed", Workload::timed);
    post("/bcrypt", Workload::bcrypt);
    get("/status", ctx -> ctx.result("OK"));
    get("/labels/{label}", ctx -> ctx.result(ctx.pathParam("label")));
    post(Workload::queue);
  }

  private static void simple(Context ctx) {
    var sent = ctx.bodyValidator(Payload.class).get();
    ctx.json(new Payload(Work.greeting(sent.payload)));
  }

  private static void timed(Context ctx) {
    var sent = ctx.bodyValidator(Payload.class).get();
    ctx.future(
        () ->
            Waiting.milliseconds(Work.TIMED_MS)
                .thenAccept(waited -> ctx.json(new Payload(Work.greeting(sent.payload)))));
  }

  /** Hashes in one of the server's threads, which may be blocked. */
  private static void bcrypt(Context ctx) {
    var sent = ctx.bodyValidator(Payload.class).get();
    ctx.json(new Payload(Work.hashPassword(sent.payload)));
  }

  private static void queue(Context ctx) {
    var sent = ctx.bodyValidator(Message.class).get();
    ctx.future(
        () ->
            Waiting.milliseconds(Work.PROCESSING_MS)
                .thenAccept(waited -> ctx.json(new Handled(sent.message, Work.PROCESSING_NOTE))));
  }
}
