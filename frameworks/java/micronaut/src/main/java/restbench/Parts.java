package restbench;

import io.micronaut.context.ExecutionHandleLocator;
import io.micronaut.context.annotation.Executable;
import io.micronaut.web.router.DefaultRouteBuilder;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;

/**
 * Thirty routes, each of which answers the integer of its path. Micronaut compares a request with
 * all routes of its method, in whichever order they were registered.
 */
@Singleton
class Parts extends DefaultRouteBuilder {
  Parts(ExecutionHandleLocator locator, UriNamingStrategy naming) {
    super(locator, naming);
  }

  @Inject
  void register(Part part) {
    for (int number = 0; number < 10; number++) {
      GET("/route-get-" + number + "/{part}", part, "part", int.class);
      POST("/route-post-" + number + "/{part}", part, "part", int.class);
      PUT("/route-put-" + number + "/{part}", part, "part", int.class);
    }
  }

  @Singleton
  static class Part {
    @Executable
    Map<String, Integer> part(int part) {
      return Map.of("part", part);
    }
  }
}
