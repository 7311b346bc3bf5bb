package restbench;

import static restbench.shared.DataSource.TASK_FIELDS;
import static restbench.shared.PlainRows.part;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.exceptions.HttpStatusException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import restbench.shared.DataSource;

/** The sprint board, its bodies plain maps. */
@Controller("/api/v1")
class IssueTrackerRaw {
  private final DataSource source;

  IssueTrackerRaw(DataSource source) {
    this.source = source;
  }

  @Get("/userinfo/raw/{id}")
  CompletableFuture<Map<String, Object>> userinfo(int id) {
    return source
        .plainUser()
        .thenApply(
            user -> {
              user.put("sub", user.get("sub") + "-" + id);
              return user;
            });
  }

  @Get("/sprint/raw/{id}")
  CompletableFuture<Map<String, Object>> sprint(int id) {
    return source
        .plainSprint()
        .thenApply(
            board -> {
              Map<String, Object> sprint = part(board, "sprint");
              sprint.put("id", id);
              return board;
            });
  }

  @Post("/board/raw/{id}/task")
  @Status(HttpStatus.CREATED)
  CompletableFuture<Map<String, Object>> createTask(int id, @Body Map<String, Object> body) {
    Map<String, Object> sent = taskOf(body);
    return source
        .plainTask()
        .thenApply(
            task -> {
              task.put("board", id);
              task.putAll(sent);
              return task;
            });
  }

  @Put("/board/raw/{id}/task")
  CompletableFuture<HttpResponse<Void>> updateTask(int id, @Body Map<String, Object> body) {
    return source.saveTask(taskOf(body)).thenApply(saved -> HttpResponse.noContent());
  }

  /** The fields of a task; whatever else was sent is ignored. */
  private static Map<String, Object> taskOf(Map<String, Object> body) {
    var task = new HashMap<String, Object>();
    for (String field : TASK_FIELDS) {
      if (!body.containsKey(field)) {
        throw new HttpStatusException(HttpStatus.BAD_REQUEST, field + " is missing");
      }
      task.put(field, body.get(field));
    }
    return task;
  }
}
