package restbench;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import jakarta.validation.Valid;
import java.util.concurrent.CompletableFuture;
import restbench.shared.Board;
import restbench.shared.DataSource;
import restbench.shared.User;

/** The sprint board, its bodies records. */
@Controller("/api/v1")
class IssueTrackerTyped {
  private final DataSource source;

  IssueTrackerTyped(DataSource source) {
    this.source = source;
  }

  @Get("/userinfo/typed/{id}")
  CompletableFuture<User> userinfo(int id) {
    return source.user().thenApply(user -> user.withId(id));
  }

  @Get("/sprint/typed/{id}")
  CompletableFuture<Board> sprint(int id) {
    return source.sprint().thenApply(board -> board.withSprintId(id));
  }

  @Post("/board/typed/{id}/task")
  @Status(HttpStatus.CREATED)
  CompletableFuture<Task> createTask(int id, @Valid @Body TaskIn sent) {
    return source.task().thenApply(row -> new Task(id, row, sent));
  }

  @Put("/board/typed/{id}/task")
  CompletableFuture<HttpResponse<Void>> updateTask(int id, @Valid @Body TaskIn task) {
    return source.saveTask(task).thenApply(saved -> HttpResponse.noContent());
  }
}
