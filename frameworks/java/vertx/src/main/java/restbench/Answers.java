package restbench;

import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletionStage;

/** How handlers answer. */
final class Answers {
  private Answers() {}

  static void text(RoutingContext ctx, String text) {
    ctx.response().putHeader("content-type", "text/plain; charset=utf-8").end(text);
  }

  /** Goes on on the event loop of the request when the stage has ended. */
  static <T> Future<T> after(RoutingContext ctx, CompletionStage<T> stage) {
    return Future.fromCompletionStage(stage, ctx.vertx().getOrCreateContext());
  }
}
