package restbench;

import static com.fasterxml.jackson.annotation.JsonInclude.Value.ALL_NON_NULL;
import static com.fasterxml.jackson.core.JsonParser.Feature.ALLOW_COMMENTS;
import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES;
import static com.fasterxml.jackson.databind.SerializationFeature.WRITE_DATES_AS_TIMESTAMPS;

import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.DatabindCodec;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.SchemaRepository;
import java.util.concurrent.CompletionException;
import restbench.shared.DataSource;
import restbench.shared.Environment;
import restbench.shared.Solr;
import restbench.shared.SolrUnavailable;

/** The routes of all suites. Each worker is an instance of this verticle, on an event loop. */
public final class App extends VerticleBase {
  private final DataSource source;
  private final Solr solr;

  private App(DataSource source, Solr solr) {
    this.source = source;
    this.solr = solr;
  }

  public static void main(String[] args) {
    configureJson();
    var source = new DataSource();
    var solr = new Solr();
    var options = new DeploymentOptions().setInstances(Environment.WORKERS);
    Vertx.vertx().deployVerticle(() -> new App(source, solr), options).onFailure(App::end);
  }

  /** By default it takes comments, refuses unknown fields and date-times, and writes nulls. */
  private static void configureJson() {
    DatabindCodec.mapper()
        .registerModule(new JavaTimeModule())
        .disable(ALLOW_COMMENTS)
        .disable(FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(WRITE_DATES_AS_TIMESTAMPS)
        .setDefaultPropertyInclusion(ALL_NON_NULL);
  }

  private static void end(Throwable error) {
    System.err.println(error);
    System.exit(1);
  }

  @Override
  public Future<?> start() {
    var router = Router.router(vertx);
    router.route().handler(BodyHandler.create(false)); // no uploads, which would be kept in files
    router.get("/hello_world").handler(ctx -> Answers.text(ctx, "Hello World"));
    for (int number = 0; number < 10; number++) {
      router.get("/route-get-" + number + "/:part").handler(App::part);
      router.post("/route-post-" + number + "/:part").handler(App::part);
      router.put("/route-put-" + number + "/:part").handler(App::part);
    }
    var schemas =
        SchemaRepository.create(
            new JsonSchemaOptions().setBaseUri("app://restbench").setDraft(Draft.DRAFT7));
    new IssueTrackerRaw(source).addRoutes(router);
    new IssueTrackerTyped(source).addRoutes(router, schemas);
    WorkloadRaw.addRoutes(router);
    WorkloadTyped.addRoutes(router, schemas);
    new Registry(solr).addRoutes(router, schemas);
    router.route().failureHandler(App::answerFailure);
    return vertx.createHttpServer().requestHandler(router).listen(Environment.PORT);
  }

  private static void part(RoutingContext ctx) {
    int part = Integer.parseInt(ctx.pathParam("part"));
    ctx.json(new JsonObject().put("part", part));
  }

  /** What a client does wrong, or Solr, is answered and not logged. */
  private static void answerFailure(RoutingContext ctx) {
    var failure = ctx.failure();
    if (failure instanceof DecodeException || failure instanceof NumberFormatException) {
      ctx.response().setStatusCode(400).end();
    } else if (failure instanceof CompletionException
        && failure.getCause() instanceof SolrUnavailable) {
      ctx.response().setStatusCode(503).end();
    } else if (ctx.statusCode() < 500) {
      ctx.response().setStatusCode(ctx.statusCode()).end();
    } else {
      ctx.next();
    }
  }
}
