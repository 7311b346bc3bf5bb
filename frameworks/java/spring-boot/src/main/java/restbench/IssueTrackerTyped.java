package restbench;

import jakarta.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import restbench.shared.Board;
import restbench.shared.DataSource;
import restbench.shared.User;

/** The sprint board, its bodies records. */
@RestController
@RequestMapping("/api/v1")
class IssueTrackerTyped {
  private final DataSource source;

  IssueTrackerTyped(DataSource source) {
    this.source = source;
  }

  @GetMapping("/userinfo/typed/{id}")
  User userinfo(@PathVariable int id) {
    return source.user().join().withId(id);
  }

  @GetMapping("/sprint/typed/{id}")
  Board sprint(@PathVariable int id) {
    return source.sprint().join().withSprintId(id);
  }

  @PostMapping("/board/typed/{id}/task")
  @ResponseStatus(HttpStatus.CREATED)
  Task createTask(@PathVariable int id, @Valid @RequestBody TaskIn sent) {
    return new Task(id, source.task().join(), sent);
  }

  @PutMapping("/board/typed/{id}/task")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void updateTask(@PathVariable int id, @Valid @RequestBody TaskIn task) {
    source.saveTask(task).join();
  }
}
