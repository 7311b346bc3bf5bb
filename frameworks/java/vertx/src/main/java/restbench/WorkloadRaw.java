package restbench;

import static restbench.Answers.after;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import restbench.shared.Waiting;
import restbench.shared.Work;

/**
 * Business logic that takes its time, its bodies Vert.x's JSON objects. What has no variants is
 * here too.
 */
final class WorkloadRaw {
  private WorkloadRaw() {}

  static void addRoutes(Router router) {
    router.post("/test/simple/raw").handler(WorkloadRaw::simple);
    router.post("/test/timed/raw").respond(WorkloadRaw::timed);
    router.post("/test/bcrypt").respond(WorkloadRaw::bcrypt);
    router.get("/test/status").handler(ctx -> Answers.text(ctx, "OK"));
    router.get("/test/labels/:label").handler(ctx -> Answers.text(ctx, ctx.pathParam("label")));
    router.post("/test").respond(WorkloadRaw::queue);
  }

  private static void simple(RoutingContext ctx) {
    String payload = textOf(ctx, "payload");
    ctx.json(new JsonObject().put("payload", Work.greeting(payload)));
  }

  private static Future<JsonObject> timed(RoutingContext ctx) {
    String payload = textOf(ctx, "payload");
    return after(ctx, Waiting.milliseconds(Work.TIMED_MS))
        .map(waited -> new JsonObject().put("payload", Work.greeting(payload)));
  }

  /** Hashes in the worker pool. Requests need not wait for the hashes of those before them. */
  private static Future<JsonObject> bcrypt(RoutingContext ctx) {
    String payload = textOf(ctx, "payload");
    return ctx.vertx()
        .executeBlocking(() -> Work.hashPassword(payload), false)
        .map(hash -> new JsonObject().put("payload", hash));
  }

  private static Future<JsonObject> queue(RoutingContext ctx) {
    String message = textOf(ctx, "message");
    return after(ctx, Waiting.milliseconds(Work.PROCESSING_MS))
        .map(waited -> JsonObject.of("message", message, "note", Work.PROCESSING_NOTE));
  }

  /** The text under that key of the body. */
  private static String textOf(RoutingContext ctx, String key) {
    if (Answers.objectOf(ctx).getValue(key) instanceof String value) {
      return value;
    }
    throw new HttpException(400, key + " is missing, or no text");
  }
}
