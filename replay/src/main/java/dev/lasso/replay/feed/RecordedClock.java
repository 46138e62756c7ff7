package dev.lasso.replay.feed;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * A clock that shows recorded time: it stands at the start of the period until it is started, then
 * runs at the chosen speed. Thread-safe.
 */
public final class RecordedClock implements InstantSource {
  private final long fromMs;
  private final double speed;
  private volatile long startedNs;
  private volatile boolean running;

  /**
   * Stands still.
   *
   * @param fromMs what it shows, milliseconds since the epoch
   * @param speed recorded seconds for each real one
   */
  public RecordedClock(long fromMs, double speed) {
    this.fromMs = fromMs;
    this.speed = speed;
  }

  /** Begins to run. */
  public void start() {
    startedNs = System.nanoTime();
    running = true;
  }

  @Override
  public long millis() {
    return running ? fromMs + (long) ((System.nanoTime() - startedNs) / 1e6 * speed) : fromMs;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  /** Real time until it shows a moment, nanoseconds; 0 or less when it has. */
  long nanosUntil(long atMs) {
    return (long) (TimeUnit.MILLISECONDS.toNanos(atMs - millis()) / speed);
  }
}
