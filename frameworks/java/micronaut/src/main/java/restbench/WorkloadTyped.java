package restbench;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.concurrent.CompletableFuture;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies records. */
@Controller("/test")
class WorkloadTyped {
  @Introspected
  record Payload(@NotNull String payload) {}

  @Post("/simple/typed")
  Payload simple(@Valid @Body Payload sent) {
    return new Payload(Work.greeting(sent.payload));
  }

  @Post("/timed/typed")
  CompletableFuture<Payload> timed(@Valid @Body Payload sent) {
    return Waiting.milliseconds(Work.TIMED_MS)
        .thenApply(waited -> new Payload(Work.greeting(sent.payload)));
  }
}
