package restbench;

import static restbench.shared.DataSource.TASK_FIELDS;
import static restbench.shared.PlainRows.part;

import java.util.HashMap;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import restbench.shared.DataSource;

/** The sprint board, its bodies plain maps. */
@RestController
@RequestMapping("/api/v1")
class IssueTrackerRaw {
  private final DataSource source;

  IssueTrackerRaw(DataSource source) {
    this.source = source;
  }

  @GetMapping("/userinfo/raw/{id}")
  Map<String, Object> userinfo(@PathVariable int id) {
    Map<String, Object> user = source.plainUser().join();
    user.put("sub", user.get("sub") + "-" + id);
    return user;
  }

  @GetMapping("/sprint/raw/{id}")
  Map<String, Object> sprint(@PathVariable int id) {
    Map<String, Object> board = source.plainSprint().join();
    Map<String, Object> sprint = part(board, "sprint");
    sprint.put("id", id);
    return board;
  }

  @PostMapping("/board/raw/{id}/task")
  @ResponseStatus(HttpStatus.CREATED)
  Map<String, Object> createTask(
      @PathVariable int id, @RequestBody Map<String, Object> body) {
    Map<String, Object> sent = taskOf(body);
    Map<String, Object> task = source.plainTask().join();
    task.put("board", id);
    task.putAll(sent);
    return task;
  }

  @PutMapping("/board/raw/{id}/task")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void updateTask(@PathVariable int id, @RequestBody Map<String, Object> body) {
    source.saveTask(taskOf(body)).join();
  }

  /** The fields of a task; whatever else was sent is ignored. */
  private static Map<String, Object> taskOf(Map<String, Object> body) {
    var task = new HashMap<String, Object>();
    for (String field : TASK_FIELDS) {
      if (!body.containsKey(field)) {
        throw new ResponseStatusException(HttpStatus.BAD_REQUEST, field + " is missing");
      }
      task.put(field, body.get(field));
    }
    return task;
  }
}
