package restbench;

import static io.vertx.ext.web.validation.builder.Bodies.json;
import static io.vertx.json.schema.common.dsl.Schemas.objectSchema;
import static io.vertx.json.schema.common.dsl.Schemas.stringSchema;
import static restbench.Answers.after;

import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.validation.RequestParameters;
import io.vertx.ext.web.validation.RequestPredicate;
import io.vertx.ext.web.validation.ValidationHandler;
import io.vertx.ext.web.validation.builder.ValidationHandlerBuilder;
import io.vertx.json.schema.SchemaRepository;
import restbench.shared.Waiting;
import restbench.shared.Work;

/** Business logic that takes its time, its bodies records. */
final class WorkloadTyped {
  record Payload(String payload) {}

  private WorkloadTyped() {}

  static void addRoutes(Router router, SchemaRepository schemas) {
    var validation =
        ValidationHandlerBuilder.create(schemas)
            .predicate(RequestPredicate.BODY_REQUIRED)
            .body(json(objectSchema().requiredProperty("payload", stringSchema())))
            .build();
    router.post("/test/simple/typed").handler(validation).handler(WorkloadTyped::simple);
    router.post("/test/timed/typed").handler(validation).respond(WorkloadTyped::timed);
  }

  private static void simple(RoutingContext ctx) {
    ctx.json(new Payload(Work.greeting(payloadOf(ctx).payload)));
  }

  private static Future<Payload> timed(RoutingContext ctx) {
    var sent = payloadOf(ctx);
    return after(ctx, Waiting.milliseconds(Work.TIMED_MS))
        .map(waited -> new Payload(Work.greeting(sent.payload)));
  }

  private static Payload payloadOf(RoutingContext ctx) {
    RequestParameters parameters = ctx.get(ValidationHandler.REQUEST_CONTEXT_KEY);
    return parameters.body().getJsonObject().mapTo(Payload.class);
  }
}
