package dev.lasso.simulator.time;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The system's clock with one daemon thread for timers. Thread-safe; close it to end the thread.
 */
public final class RealSimClock implements SimClock, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RealSimClock.class);

  private final ScheduledThreadPoolExecutor timers;

  /** Starts the timer thread. */
  public RealSimClock() {
    timers =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("simulator-clock").daemon(true).factory());
    timers.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    ScheduledFuture<?> future =
        timers.schedule(() -> runLogged(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    return () -> future.cancel(false);
  }

  private static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("simulator timer failed");
    }
  }

  @Override
  public void close() {
    timers.shutdownNow();
  }
}
