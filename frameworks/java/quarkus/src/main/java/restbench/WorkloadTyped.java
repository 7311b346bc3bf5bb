package restbench;

import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.concurrent.CompletionStage;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies records. */
@Path("/test")
public class WorkloadTyped {
  public record Payload(String payload) {}

  @POST
  @Path("/simple/typed")
  public Payload simple(@NotNull Payload sent) {
    return new Payload(Work.greeting(sent.payload));
  }

  @POST
  @Path("/timed/typed")
  public CompletionStage<Payload> timed(@NotNull Payload sent) {
    return Waiting.milliseconds(Work.TIMED_MS)
        .thenApply(waited -> new Payload(Work.greeting(sent.payload)));
  }
}
