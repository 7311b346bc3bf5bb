package restbench;

import io.jooby.Jooby;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies records. */
final class WorkloadTyped extends Jooby {
  record Payload(String payload) {}

  {
    post(
        "/simple/typed",
        ctx -> {
          var sent = ctx.body(Payload.class);
          return new Payload(Work.greeting(sent.payload));
        });

    post(
        "/timed/typed",
        ctx -> {
          var sent = ctx.body(Payload.class);
          return Waiting.milliseconds(Work.TIMED_MS)
              .thenApply(waited -> new Payload(Work.greeting(sent.payload)));
        });
  }
}
