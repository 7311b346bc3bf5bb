package restbench;

import io.jooby.Jooby;
import io.jooby.StatusCode;
import restbench.shared.DataSource;
import restbench.shared.Task;
import restbench.shared.TaskIn;

/** The sprint board, its bodies records. */
final class IssueTrackerTyped extends Jooby {
  IssueTrackerTyped(DataSource source) {
    get(
        "/userinfo/typed/{id}",
        ctx -> {
          int id = ctx.path("id").intValue();
          return source.user().thenApply(user -> user.withId(id));
        });

    get(
        "/sprint/typed/{id}",
        ctx -> {
          int id = ctx.path("id").intValue();
          return source.sprint().thenApply(board -> board.withSprintId(id));
        });

    post(
        "/board/typed/{id}/task",
        ctx -> {
          int id = ctx.path("id").intValue();
          var task = ctx.body(TaskIn.class);
          ctx.setResponseCode(StatusCode.CREATED);
          return source.task().thenApply(row -> new Task(id, row, task));
        });

    put(
        "/board/typed/{id}/task",
        ctx -> {
          ctx.path("id").intValue(); // This refuses an id that is no integer.
          var task = ctx.body(TaskIn.class);
          return source.saveTask(task).thenApply(saved -> ctx.send(StatusCode.NO_CONTENT));
        });
  }
}
