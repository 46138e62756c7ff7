package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.JsonSlice;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a large HTTP answer. Lives on the event loop of its exchange, which feeds it and ends
 * it.
 */
final class HttpResultStream implements ResultStream {
  private final Vertx vertx;
  private final HttpSettings settings;
  private final AnswerBody body;
  private final JsonSlice head;
  private final Runnable cancel;
  private final long startedMs = nowMs();

  private @Nullable Reader reader;
  private Runnable stalled = () -> {};
  private @Nullable TransportFault brokenBefore;
  private boolean paused = true;
  private long lastProgressMs = startedMs;
  private long timer;

  HttpResultStream(
      Vertx vertx, HttpSettings settings, AnswerBody body, JsonSlice head, Runnable cancel) {
    this.vertx = vertx;
    this.settings = settings;
    this.body = body;
    this.head = head;
    this.cancel = cancel;
    this.timer = vertx.setPeriodic(Math.max(settings.streamStallMs() / 4, 1), tick -> check());
  }

  /** Is run when the provider stops sending, or takes too long in all. */
  void onStall(Runnable action) {
    stalled = action;
  }

  private void check() {
    long nowMs = nowMs();
    boolean standsStill = !paused && nowMs - lastProgressMs > settings.streamStallMs();
    if (standsStill || nowMs - startedMs > settings.maxStreamMs()) {
      stalled.run();
    }
  }

  void stopTimers() {
    if (timer >= 0) {
      vertx.cancelTimer(timer);
      timer = -1;
    }
  }

  void bytes(JsonSlice part) {
    lastProgressMs = nowMs();
    if (reader != null && part.size() > 0) {
      reader.bytes(part);
    }
  }

  void complete() {
    if (reader != null) {
      reader.complete();
    }
  }

  void broken(TransportFault fault) {
    if (reader != null) {
      reader.broken(fault);
    } else {
      brokenBefore = fault;
    }
  }

  @Override
  public JsonSlice head() {
    return head;
  }

  @Override
  public void start(Reader reader) {
    this.reader = reader;
    if (brokenBefore == null) {
      resume();
    } else {
      reader.broken(brokenBefore);
    }
  }

  @Override
  public void pause() {
    paused = true;
    body.pause();
  }

  @Override
  public void resume() {
    paused = false;
    lastProgressMs = nowMs();
    body.resume();
  }

  @Override
  public void cancel() {
    reader = null;
    cancel.run();
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
