package restbench;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Hello {
  @GetMapping("/hello_world")
  String hello() {
    return "Hello World";
  }
}
