package restbench;

import static io.vertx.ext.web.validation.builder.Bodies.json;
import static io.vertx.json.schema.common.dsl.Schemas.arraySchema;
import static io.vertx.json.schema.common.dsl.Schemas.objectSchema;
import static io.vertx.json.schema.common.dsl.Schemas.stringSchema;
import static restbench.Answers.after;

import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.validation.RequestParameters;
import io.vertx.ext.web.validation.RequestPredicate;
import io.vertx.ext.web.validation.ValidationHandler;
import io.vertx.ext.web.validation.builder.ValidationHandlerBuilder;
import io.vertx.json.schema.SchemaRepository;
import restbench.shared.Board;
import restbench.shared.DataSource;
import restbench.shared.Task;
import restbench.shared.TaskIn;
import restbench.shared.User;

/** The sprint board, its bodies records. A schema says what a body has to be. */
final class IssueTrackerTyped {
  private final DataSource source;

  IssueTrackerTyped(DataSource source) {
    this.source = source;
  }

  void addRoutes(Router router, SchemaRepository schemas) {
    var validation =
        ValidationHandlerBuilder.create(schemas)
            .predicate(RequestPredicate.BODY_REQUIRED)
            .body(
                json(
                    objectSchema()
                        .requiredProperty("summary", stringSchema())
                        .requiredProperty("description", stringSchema())
                        .requiredProperty("issue_type", stringSchema())
                        .requiredProperty("priority", stringSchema())
                        .requiredProperty("labels", arraySchema().items(stringSchema()))
                        .requiredProperty("components", arraySchema().items(stringSchema()))))
            .build();
    router.get("/api/v1/userinfo/typed/:id").respond(this::userinfo);
    router.get("/api/v1/sprint/typed/:id").respond(this::sprint);
    router.post("/api/v1/board/typed/:id/task").handler(validation).respond(this::createTask);
    router.put("/api/v1/board/typed/:id/task").handler(validation).respond(this::updateTask);
  }

  private Future<User> userinfo(RoutingContext ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    return after(ctx, source.user()).map(user -> user.withId(id));
  }

  private Future<Board> sprint(RoutingContext ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    return after(ctx, source.sprint()).map(board -> board.withSprintId(id));
  }

  private Future<Task> createTask(RoutingContext ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    var task = taskOf(ctx);
    ctx.response().setStatusCode(201);
    return after(ctx, source.task()).map(row -> new Task(id, row, task));
  }

  private Future<Void> updateTask(RoutingContext ctx) {
    Integer.parseInt(ctx.pathParam("id")); // This refuses an id that is no integer.
    return after(ctx, source.saveTask(taskOf(ctx))).mapEmpty();
  }

  private static TaskIn taskOf(RoutingContext ctx) {
    RequestParameters parameters = ctx.get(ValidationHandler.REQUEST_CONTEXT_KEY);
    return parameters.body().getJsonObject().mapTo(TaskIn.class);
  }
}
