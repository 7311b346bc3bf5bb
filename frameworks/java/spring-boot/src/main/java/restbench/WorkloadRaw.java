package restbench;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import restbench.shared.Environment;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies plain maps. What has no variants is here too. */
@RestController
@RequestMapping("/test")
class WorkloadRaw {
  /** These are no virtual threads, because one that computes holds up the others. */
  private final Executor hashing = Executors.newFixedThreadPool(Environment.WORKERS);

  @PostMapping("/simple/raw")
  Map<String, String> simple(@RequestBody Map<String, Object> body) {
    String payload = textOf(body, "payload");
    return Map.of("payload", Work.greeting(payload));
  }

  @PostMapping("/timed/raw")
  Map<String, String> timed(@RequestBody Map<String, Object> body) {
    String payload = textOf(body, "payload");
    Waiting.milliseconds(Work.TIMED_MS).join();
    return Map.of("payload", Work.greeting(payload));
  }

  @PostMapping("/bcrypt")
  Map<String, String> bcrypt(@RequestBody Map<String, Object> body) {
    String payload = textOf(body, "payload");
    var hash = CompletableFuture.supplyAsync(() -> Work.hashPassword(payload), hashing);
    return Map.of("payload", hash.join());
  }

  @GetMapping("/status")
  String status() {
    return "OK";
  }

  @GetMapping("/labels/{label}")
  String label(@PathVariable String label) {
    return label;
  }

  @PostMapping
  Map<String, String> queue(@RequestBody Map<String, Object> body) {
    String message = textOf(body, "message");
    Waiting.milliseconds(Work.PROCESSING_MS).join();
    return Map.of("message", message, "note", Work.PROCESSING_NOTE);
  }

  /** The text under that key of the body. */
  private static String textOf(Map<String, Object> body, String key) {
    if (body.get(key) instanceof String value) {
      return value;
    }
    throw new ResponseStatusException(HttpStatus.BAD_REQUEST, key + " is missing, or no text");
  }
}
