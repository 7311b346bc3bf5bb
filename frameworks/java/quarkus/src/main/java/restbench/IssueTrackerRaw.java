package restbench;

import static restbench.shared.DataSource.TASK_FIELDS;
import static restbench.shared.PlainRows.part;

import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jboss.resteasy.reactive.ResponseStatus;
import restbench.shared.DataSource;

/** The sprint board, its bodies plain maps. */
@Path("/api/v1")
public class IssueTrackerRaw {
  private final DataSource source;

  IssueTrackerRaw(DataSource source) {
    this.source = source;
  }

  @GET
  @Path("/userinfo/raw/{id}")
  public CompletionStage<Map<String, Object>> userinfo(int id) {
    return source
        .plainUser()
        .thenApply(
            user -> {
              user.put("sub", user.get("sub") + "-" + id);
              return user;
            });
  }

  @GET
  @Path("/sprint/raw/{id}")
  public CompletionStage<Map<String, Object>> sprint(int id) {
    return source
        .plainSprint()
        .thenApply(
            board -> {
              Map<String, Object> sprint = part(board, "sprint");
              sprint.put("id", id);
              return board;
            });
  }

  @POST
  @Path("/board/raw/{id}/task")
  @ResponseStatus(201)
  public CompletionStage<Map<String, Object>> createTask(
      int id, @NotNull Map<String, Object> body) {
    var sent = taskOf(body);
    return source
        .plainTask()
        .thenApply(
            task -> {
              task.put("board", id);
              task.putAll(sent);
              return task;
            });
  }

  @PUT
  @Path("/board/raw/{id}/task")
  public CompletionStage<Void> updateTask(int id, @NotNull Map<String, Object> body) {
    return source.saveTask(taskOf(body)).thenAccept(saved -> {});
  }

  /** The fields of a task; whatever else was sent is ignored. */
  private static Map<String, Object> taskOf(Map<String, Object> body) {
    var task = new HashMap<String, Object>();
    for (String field : TASK_FIELDS) {
      if (!body.containsKey(field)) {
        throw new BadRequestException(field + " is missing");
      }
      task.put(field, body.get(field));
    }
    return task;
  }
}
