package restbench;

import static io.javalin.apibuilder.ApiBuilder.get;
import static io.javalin.apibuilder.ApiBuilder.post;
import static io.javalin.apibuilder.ApiBuilder.put;

import io.javalin.apibuilder.EndpointGroup;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import restbench.shared.DataSource;
import restbench.shared.Task;
import restbench.shared.TaskIn;

/** The sprint board, its bodies records. */
final class IssueTrackerTyped implements EndpointGroup {
  private final DataSource source;

  IssueTrackerTyped(DataSource source) {
    this.source = source;
  }

  @Override
  public void addEndpoints() {
    get("/userinfo/typed/{id}", this::userinfo);
    get("/sprint/typed/{id}", this::sprint);
    post("/board/typed/{id}/task", this::createTask);
    put("/board/typed/{id}/task", this::updateTask);
  }

  private void userinfo(Context ctx) {
    int id = ctx.pathParamAsClass("id", Integer.class).get();
    ctx.future(() -> source.user().thenAccept(user -> ctx.json(user.withId(id))));
  }

  private void sprint(Context ctx) {
    int id = ctx.pathParamAsClass("id", Integer.class).get();
    ctx.future(() -> source.sprint().thenAccept(board -> ctx.json(board.withSprintId(id))));
  }

  private void createTask(Context ctx) {
    int id = ctx.pathParamAsClass("id", Integer.class).get();
    var task = ctx.bodyValidator(TaskIn.class).get();
    ctx.status(HttpStatus.CREATED)
        .future(() -> source.task().thenAccept(row -> ctx.json(new Task(id, row, task))));
  }

  private void updateTask(Context ctx) {
    ctx.pathParamAsClass("id", Integer.class).get(); // This refuses an id that is no integer.
    var task = ctx.bodyValidator(TaskIn.class).get();
    ctx.status(HttpStatus.NO_CONTENT).future(() -> source.saveTask(task));
  }
}
