package restbench;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies records. */
@RestController
@RequestMapping("/test")
class WorkloadTyped {
  record Payload(@NotNull String payload) {}

  @PostMapping("/simple/typed")
  Payload simple(@Valid @RequestBody Payload sent) {
    return new Payload(Work.greeting(sent.payload));
  }

  @PostMapping("/timed/typed")
  Payload timed(@Valid @RequestBody Payload sent) {
    Waiting.milliseconds(Work.TIMED_MS).join();
    return new Payload(Work.greeting(sent.payload));
  }
}
