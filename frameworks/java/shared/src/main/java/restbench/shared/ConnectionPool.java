package restbench.shared;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A semaphore that blocks no thread. Where no connection is free, a request waits for its turn. */
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
      next.complete(null); // outside the lock, because the request that waited goes on in this call
    }
  }

  private synchronized CompletableFuture<Void> nextOrFree() {
    if (waiting.isEmpty()) {
      free++;
    }
    return waiting.poll();
  }
}
