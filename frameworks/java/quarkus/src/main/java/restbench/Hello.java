package restbench;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A text that is always the same. */
@Path("/hello_world")
public class Hello {
  @GET
  public String hello() {
    return "Hello World";
  }
}
