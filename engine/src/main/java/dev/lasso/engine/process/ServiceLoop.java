package dev.lasso.engine.process;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The one event loop that owns a service's state. Steps of its start and stop are run on it and
 * waited for, from any other thread.
 */
public final class ServiceLoop {
  private static final long WITHIN_S = 5;

  private final Context context;

  /** Takes an event loop, whichever the process gives. */
  public ServiceLoop(Vertx vertx) {
    this.context = ((VertxInternal) vertx).createEventLoopContext();
  }

  public Context context() {
    return context;
  }

  /**
   * Runs a step on the event loop and waits until it is done.
   *
   * @throws ExecutionException with what the step threw
   * @throws TimeoutException when the event loop does not come to its end within 5 s
   */
  public void run(Runnable step) throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    context.runOnContext(
        _ -> {
          try {
            step.run();
            done.complete(null);
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    done.get(WITHIN_S, TimeUnit.SECONDS);
  }
}
