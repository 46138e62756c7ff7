package dev.lasso.runtime.kafka;

import java.util.function.LongSupplier;

/**
 * Whether the machine's clock has been set back since this was made. Kafka's clients reckon by it
 * and never back: a consumer made before sends no heartbeat until the clock has caught up, and its
 * group goes on without it. Whoever holds a consumer makes a new one then. One thread.
 */
public final class ClockSteps {
  /** Set back by less, the clock has caught up before anybody notices. */
  private static final long UNNOTICED_MS = 1_000;

  private final LongSupplier machineMs;
  private final LongSupplier nanos;
  private long furthestMs;

  ClockSteps(LongSupplier machineMs, LongSupplier nanos) {
    this.machineMs = machineMs;
    this.nanos = nanos;
    this.furthestMs = offsetMs();
  }

  /** Watches this machine's clock from now on. */
  public static ClockSteps fromNow() {
    return new ClockSteps(System::currentTimeMillis, System::nanoTime);
  }

  /** True from the first look after the clock was set back. */
  public boolean setBack() {
    long nowMs = offsetMs();
    furthestMs = Math.max(furthestMs, nowMs);
    return nowMs < furthestMs - UNNOTICED_MS;
  }

  private long offsetMs() {
    return machineMs.getAsLong() - nanos.getAsLong() / 1_000_000;
  }
}
