package restbench;

import io.jooby.Jooby;
import io.jooby.StatusCode;
import restbench.shared.Board;
import restbench.shared.DataSource;
import restbench.shared.Task;
import restbench.shared.TaskIn;
import restbench.shared.User;

/** The sprint board, its bodies records. */
final class IssueTrackerTyped extends Jooby {
  IssueTrackerTyped(DataSource source) {
    get(
        "/userinfo/typed/{id}",
        ctx -> {
          int id = ctx.path("id").intValue();
          return source.user().thenApply(row -> User.fromRow(row, id));
        });

    get(
        "/sprint/typed/{id}",
        ctx -> {
          int id = ctx.path("id").intValue();
          return source.sprint().thenApply(row -> Board.fromRow(row, id));
        });

    post(
        "/board/typed/{id}/task",
        ctx -> {
          int id = ctx.path("id").intValue();
          var task = ctx.body(TaskIn.class);
          ctx.setResponseCode(StatusCode.CREATED);
          return source.task().thenApply(row -> Task.fromRow(row, id, task));
        });

    put(
        "/board/typed/{id}/task",
        ctx -> {
          ctx.path("id").intValue();
          var task = ctx.body(TaskIn.class);
          return source.saveTask(task).thenApply(saved -> ctx.send(StatusCode.NO_CONTENT));
        });
  }
}
