package restbench;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;

@Controller
class Hello {
  static final String TEXT = "text/plain; charset=utf-8";

  @Get("/hello_world")
  @Produces(TEXT)
  String hello() {
    return "Hello World";
  }
}
