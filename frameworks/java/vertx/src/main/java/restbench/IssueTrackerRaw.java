package restbench;

import static restbench.Answers.after;
import static restbench.Answers.objectOf;
import static restbench.shared.DataSource.TASK_FIELDS;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import restbench.shared.DataSource;

/** The sprint board, its bodies Vert.x's JSON objects. */
final class IssueTrackerRaw {
  private final DataSource source;

  IssueTrackerRaw(DataSource source) {
    this.source = source;
  }

  void addRoutes(Router router) {
    router.get("/api/v1/userinfo/raw/:id").respond(this::userinfo);
    router.get("/api/v1/sprint/raw/:id").respond(this::sprint);
    router.post("/api/v1/board/raw/:id/task").respond(this::createTask);
    router.put("/api/v1/board/raw/:id/task").respond(this::updateTask);
  }

  private Future<JsonObject> userinfo(RoutingContext ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    return after(ctx, source.plainUser())
        .map(JsonObject::new)
        .map(user -> user.put("sub", user.getString("sub") + "-" + id));
  }

  private Future<JsonObject> sprint(RoutingContext ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    return after(ctx, source.plainSprint())
        .map(JsonObject::new)
        .onSuccess(board -> board.getJsonObject("sprint").put("id", id));
  }

  private Future<JsonObject> createTask(RoutingContext ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    JsonObject sent = taskOf(ctx);
    ctx.response().setStatusCode(201);
    return after(ctx, source.plainTask())
        .map(JsonObject::new)
        .map(task -> task.put("board", id).mergeIn(sent));
  }

  private Future<Void> updateTask(RoutingContext ctx) {
    Integer.parseInt(ctx.pathParam("id")); // This refuses an id that is no integer.
    return after(ctx, source.saveTask(taskOf(ctx))).mapEmpty();
  }

  /** The fields of a task; whatever else was sent is ignored. */
  private static JsonObject taskOf(RoutingContext ctx) {
    JsonObject body = objectOf(ctx);
    var task = new JsonObject();
    for (String field : TASK_FIELDS) {
      if (!body.containsKey(field)) {
        throw new HttpException(400, field + " is missing");
      }
      task.put(field, body.getValue(field));
    }
    return task;
  }
}
