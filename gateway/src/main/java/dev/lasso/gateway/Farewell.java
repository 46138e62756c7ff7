package dev.lasso.gateway;

import dev.lasso.engine.edge.ConnectionChannel;
import dev.lasso.runtime.Condition;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How a gateway goes: first it says that it is not ready and asks callers to come back on another
 * connection, while it still serves, so that a balancer sends them elsewhere; it stops listening
 * when nobody is connected any more, or after a while. Any thread.
 */
final class Farewell {
  private final AtomicInteger connections = new AtomicInteger();
  private final CompletableFuture<Void> alone = new CompletableFuture<>();
  private volatile boolean begun;

  /** A caller has connected, and counts until the connection ends, as a WebSocket too. */
  void attend(HttpConnection connection) {
    connected();
    var _ = ConnectionChannel.of(connection).closeFuture().addListener(_ -> disconnected());
  }

  /** A caller has connected. */
  void connected() {
    connections.incrementAndGet();
  }

  /** A caller's connection has ended. */
  void disconnected() {
    if (connections.decrementAndGet() == 0 && begun) {
      alone.complete(null);
    }
  }

  /** Whether it has begun, so that answers ask for their connection to be closed. */
  boolean begun() {
    return begun;
  }

  /** For the process's readiness. */
  Condition condition() {
    return begun ? Condition.notReady("stopping") : Condition.ready();
  }

  /** Begins it, and blocks until nobody is connected or the time is over. */
  void say(Duration atMost) throws InterruptedException {
    begun = true;
    if (connections.get() == 0) {
      return;
    }
    try {
      alone.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      // who is still connected has been silent, or is a WebSocket
    } catch (ExecutionException e) {
      throw new IllegalStateException("it never fails", e);
    }
  }
}
