package restbench;

import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.concurrent.CompletionStage;
import org.jboss.resteasy.reactive.ResponseStatus;
import restbench.shared.Board;
import restbench.shared.DataSource;
import restbench.shared.Task;
import restbench.shared.TaskIn;
import restbench.shared.User;

/** The sprint board, its bodies records. */
@Path("/api/v1")
public class IssueTrackerTyped {
  private final DataSource source;

  IssueTrackerTyped(DataSource source) {
    this.source = source;
  }

  @GET
  @Path("/userinfo/typed/{id}")
  public CompletionStage<User> userinfo(int id) {
    return source.user().thenApply(user -> user.withId(id));
  }

  @GET
  @Path("/sprint/typed/{id}")
  public CompletionStage<Board> sprint(int id) {
    return source.sprint().thenApply(board -> board.withSprintId(id));
  }

  @POST
  @Path("/board/typed/{id}/task")
  @ResponseStatus(201)
  public CompletionStage<Task> createTask(int id, @NotNull TaskIn task) {
    return source.task().thenApply(row -> new Task(id, row, task));
  }

  @PUT
  @Path("/board/typed/{id}/task")
  public CompletionStage<Void> updateTask(int id, @NotNull TaskIn task) {
    return source.saveTask(task).thenAccept(saved -> {});
  }
}
