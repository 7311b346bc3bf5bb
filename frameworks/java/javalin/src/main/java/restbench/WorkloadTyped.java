package restbench;

import static io.javalin.apibuilder.ApiBuilder.post;

import io.javalin.apibuilder.EndpointGroup;
import io.javalin.http.Context;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies records. */
final class WorkloadTyped implements EndpointGroup {
  record Payload(String payload) {}

  @Override
  public void addEndpoints() {
    post("/simple/typed", WorkloadTyped::simple);
    post("/timed/typed", WorkloadTyped::timed);
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
}
