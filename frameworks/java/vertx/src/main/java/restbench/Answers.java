package restbench;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.concurrent.CompletionStage;

/** How handlers read bodies and answer. */
final class Answers {
  private Answers() {}

  /** The JSON object that was sent. */
  static JsonObject objectOf(RoutingContext ctx) {
    var sent = ctx.body().buffer();
    if (sent != null && sent.toJsonValue() instanceof JsonObject body) {
      return body;
    }
    throw new HttpException(400, "the body is no JSON object");
  }

  static void text(RoutingContext ctx, String text) {
    ctx.response().putHeader("content-type", "text/plain; charset=utf-8").end(text);
  }

  /** Goes on on the event loop of the request when the stage has ended. */
  static <T> Future<T> after(RoutingContext ctx, CompletionStage<T> stage) {
    return Future.fromCompletionStage(stage, ctx.vertx().getOrCreateContext());
  }
}
