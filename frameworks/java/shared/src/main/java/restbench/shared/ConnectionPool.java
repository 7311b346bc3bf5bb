package restbench.shared;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A semaphore that blocks no thread: who finds no connection free has its turn when one is. */
final class ConnectionPool {
  private final Queue<CompletableFuture<Void>> waiting = new ArrayDeque<>();
  private int free;

  ConnectionPool(int size) {
    free = size;
  }

  synchronized CompletableFuture<Void> acquire() {
    if (free > 0) {
      free--;
      return CompletableFuture.completedFuture(null);
    }
    var turn = new CompletableFuture<Void>();
    waiting.add(turn);
    return turn;
  }

  void release() {
    CompletableFuture<Void> next = nextOrFree();
    if (next != null) {
      next.complete(null); // outside the lock: what waited goes on right here
    }
  }

  private synchronized CompletableFuture<Void> nextOrFree() {
    if (waiting.isEmpty()) {
      free++;
    }
    return waiting.poll();
  }
}
