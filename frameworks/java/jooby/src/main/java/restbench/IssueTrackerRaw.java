package restbench;

import static restbench.shared.DataSource.TASK_FIELDS;
import static restbench.shared.PlainRows.part;

import io.jooby.Context;
import io.jooby.Jooby;
import io.jooby.Reified;
import io.jooby.StatusCode;
import io.jooby.exception.BadRequestException;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import restbench.shared.DataSource;

/** The sprint board, its bodies plain maps. */
final class IssueTrackerRaw extends Jooby {
  private static final Type OBJECT = Reified.map(String.class, Object.class).getType();

  IssueTrackerRaw(DataSource source) {
    get(
        "/userinfo/raw/{id}",
        ctx -> {
          int id = ctx.path("id").intValue();
          return source
              .plainUser()
              .thenApply(
                  user -> {
                    user.put("sub", user.get("sub") + "-" + id);
                    return user;
                  });
        });

    get(
        "/sprint/raw/{id}",
        ctx -> {
          int id = ctx.path("id").intValue();
          return source
              .plainSprint()
              .thenApply(
                  board -> {
                    Map<String, Object> sprint = part(board, "sprint");
                    sprint.put("id", id);
                    return board;
                  });
        });

    post(
        "/board/raw/{id}/task",
        ctx -> {
          int id = ctx.path("id").intValue();
          Map<String, Object> sent = taskOf(ctx);
          ctx.setResponseCode(StatusCode.CREATED);
          return source
              .plainTask()
              .thenApply(
                  task -> {
                    task.put("board", id);
                    task.putAll(sent);
                    return task;
                  });
        });

    put(
        "/board/raw/{id}/task",
        ctx -> {
          ctx.path("id").intValue(); // This refuses an id that is no integer.
          return source.saveTask(taskOf(ctx)).thenApply(saved -> ctx.send(StatusCode.NO_CONTENT));
        });
  }

  /** The fields of a task; whatever else was sent is ignored. */
  private static Map<String, Object> taskOf(Context ctx) {
    Map<String, Object> body = ctx.body(OBJECT);
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
