package restbench;

import static io.jooby.ExecutionMode.EVENT_LOOP;
import static io.jooby.MediaType.text;
import static io.jooby.ReactiveSupport.concurrent;

import io.jooby.Context;
import io.jooby.DefaultErrorHandler;
import io.jooby.Jooby;
import io.jooby.OpenAPIModule;
import io.jooby.ServerOptions;
import io.jooby.StatusCode;
import java.util.Map;
import restbench.shared.DataSource;
import restbench.shared.Environment;
import restbench.shared.Solr;
import restbench.shared.SolrUnavailable;

/** The routes of all suites. */
public final class App extends Jooby {
  {
    setServerOptions(
        new ServerOptions()
            .setPort(Environment.PORT)
            .setIoThreads(Environment.WORKERS)
            .setWorkerThreads(Environment.WORKERS));

    install(new Json());
    install(new OpenAPIModule().file("restbench/Registry.json"));
    errorCode(SolrUnavailable.class, StatusCode.SERVICE_UNAVAILABLE);
    // what a client does wrong, or Solr, is answered and not logged
    error(
        new DefaultErrorHandler()
            .mute(
                StatusCode.BAD_REQUEST,
                StatusCode.NOT_FOUND,
                StatusCode.METHOD_NOT_ALLOWED,
                StatusCode.SERVICE_UNAVAILABLE));

    use(concurrent());

    // A text that is returned, and not sent, would have a content type without charset.
    get("/hello_world", ctx -> ctx.setResponseType(text).send("Hello World"));
    for (int number = 0; number < 10; number++) {
      get("/route-get-" + number + "/{part}", App::part);
      post("/route-post-" + number + "/{part}", App::part);
      put("/route-put-" + number + "/{part}", App::part);
    }
    var source = new DataSource();
    install("/api/v1", () -> new IssueTrackerRaw(source));
    install("/api/v1", () -> new IssueTrackerTyped(source));
    install("/test", WorkloadRaw::new);
    install("/test", WorkloadTyped::new);
    var solr = new Solr();
    install(() -> new Registry(solr));
  }

  private static Map<String, Integer> part(Context ctx) {
    return Map.of("part", ctx.path("part").intValue());
  }

  public static void main(String[] args) {
    runApp(new String[] {"prod"}, EVENT_LOOP, App::new);
  }
}
