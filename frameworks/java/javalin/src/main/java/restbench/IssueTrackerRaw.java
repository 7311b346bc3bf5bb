package restbench;

import static io.javalin.apibuilder.ApiBuilder.get;
import static io.javalin.apibuilder.ApiBuilder.post;
import static io.javalin.apibuilder.ApiBuilder.put;
import static restbench.shared.DataSource.TASK_FIELDS;
import static restbench.shared.PlainRows.part;

import io.javalin.apibuilder.EndpointGroup;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.HashMap;
import java.util.Map;
import restbench.shared.DataSource;

/** The sprint board, its bodies plain maps. */
final class IssueTrackerRaw implements EndpointGroup {
  private final DataSource source;

  IssueTrackerRaw(DataSource source) {
    this.source = source;
  }

  @Override
  public void addEndpoints() {
    get("/userinfo/raw/{id}", this::userinfo);
    get("/sprint/raw/{id}", this::sprint);
    post("/board/raw/{id}/task", this::createTask);
    put("/board/raw/{id}/task", this::updateTask);
  }

  private void userinfo(Context ctx) {
    int id = ctx.pathParamAsClass("id", Integer.class).get();
    ctx.future(
        () ->
            source
                .plainUser()
                .thenAccept(
                    user -> {
                      user.put("sub", user.get("sub") + "-" + id);
                      ctx.json(user);
                    }));
  }

  private void sprint(Context ctx) {
    int id = ctx.pathParamAsClass("id", Integer.class).get();
    ctx.future(
        () ->
            source
                .plainSprint()
                .thenAccept(
                    board -> {
                      Map<String, Object> sprint = part(board, "sprint");
                      sprint.put("id", id);
                      ctx.json(board);
                    }));
  }

  private void createTask(Context ctx) {
    int id = ctx.pathParamAsClass("id", Integer.class).get();
    var sent = taskOf(ctx);
    ctx.status(HttpStatus.CREATED)
        .future(
            () ->
                source
                    .plainTask()
                    .thenAccept(
                        task -> {
                          task.put("board", id);
                          task.putAll(sent);
                          ctx.json(task);
                        }));
  }

  private void updateTask(Context ctx) {
    ctx.pathParamAsClass("id", Integer.class).get(); // This refuses an id that is no integer.
    var task = taskOf(ctx);
    ctx.status(HttpStatus.NO_CONTENT).future(() -> source.saveTask(task));
  }

  /** The fields of a task; whatever else was sent is ignored. */
  private static Map<String, Object> taskOf(Context ctx) {
    Map<?, ?> body = ctx.bodyValidator(Map.class).get();
    var task = new HashMap<String, Object>();
    for (String field : TASK_FIELDS) {
      if (!body.containsKey(field)) {
        throw new BadRequestResponse(field + " is missing");
      }
      task.put(field, body.get(field));
    }
    return task;
  }
}
