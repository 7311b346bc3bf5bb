package restbench;

import static io.javalin.apibuilder.ApiBuilder.get;
import static io.javalin.apibuilder.ApiBuilder.path;
import static io.javalin.apibuilder.ApiBuilder.post;
import static io.javalin.apibuilder.ApiBuilder.put;
import static io.javalin.http.HttpStatus.SERVICE_UNAVAILABLE;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.json.JavalinJackson;
import io.javalin.openapi.OpenApiLoader;
import java.util.Map;
import restbench.shared.DataSource;
import restbench.shared.Environment;
import restbench.shared.Jackson;
import restbench.shared.Solr;
import restbench.shared.SolrUnavailable;

/** The routes of all suites. Handlers may block Jetty's threads, so it has more than $WORKERS. */
public final class App {
  private App() {}

  public static void main(String[] args) {
    Javalin.create(App::configure).start(Environment.PORT);
  }

  private static void configure(JavalinConfig config) {
    config.http.defaultContentType = "text/plain; charset=utf-8";
    config.jsonMapper(new JavalinJackson(Jackson.MAPPER, false));
    config.routes.exception(
        SolrUnavailable.class, (error, ctx) -> ctx.status(SERVICE_UNAVAILABLE));
    config.routes.apiBuilder(App::addRoutes);
  }

  private static void addRoutes() {
    get("/hello_world", ctx -> ctx.result("Hello World"));
    for (int number = 0; number < 10; number++) {
      get("/route-get-" + number + "/{part}", App::part);
      post("/route-post-" + number + "/{part}", App::part);
      put("/route-put-" + number + "/{part}", App::part);
    }
    var source = new DataSource();
    path("/api/v1", new IssueTrackerRaw(source));
    path("/api/v1", new IssueTrackerTyped(source));
    path("/test", new WorkloadRaw());
    path("/test", new WorkloadTyped());
    path("/", new Registry(new Solr()));
    String document = new OpenApiLoader().loadVersion("default");
    get("/openapi", ctx -> ctx.contentType(ContentType.APPLICATION_JSON).result(document));
  }

  private static void part(Context ctx) {
    int part = ctx.pathParamAsClass("part", Integer.class).get();
    ctx.json(Map.of("part", part));
  }
}
