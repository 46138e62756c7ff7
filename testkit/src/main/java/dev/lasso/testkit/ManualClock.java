package dev.lasso.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is told to move. Starts at a fixed instant so that failures
 * repeat. Thread-safe.
 *
 * <p>Its nanosecond reading, for code that takes {@code System::nanoTime} as an argument, moves
 * together with the wall time.
 */
public final class ManualClock extends Clock {
  /** 2026-01-01T00:00:00Z, where every manual clock starts unless told otherwise. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Instant start;
  private final AtomicLong elapsedNs = new AtomicLong();

  /** A clock at {@link #START}. */
  public ManualClock() {
    this(START);
  }

  /** A clock at {@code start}. */
  public ManualClock(Instant start) {
    this.start = start;
  }

  /** Moves on; a negative step is refused because elapsed time would run backwards. */
  public void advance(Duration step) {
    if (step.isNegative()) {
      throw new IllegalArgumentException("a clock moves forward, step was " + step);
    }
    elapsedNs.addAndGet(step.toNanos());
  }

  /** Moves on by {@code stepMs} milliseconds. */
  public void advanceMs(long stepMs) {
    advance(Duration.ofMillis(stepMs));
  }

  /** Nanoseconds since this clock was made, in place of {@link System#nanoTime}. */
  public long nanoTime() {
    return elapsedNs.get();
  }

  @Override
  public Instant instant() {
    return start.plusNanos(elapsedNs.get());
  }

  @Override
  public long millis() {
    return instant().toEpochMilli();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("a manual clock is UTC");
  }
}
