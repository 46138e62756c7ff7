package dev.lasso.runtime;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time that a process keeps: what the machine's clock said at the start and what has passed
 * since by the monotonic clock. So a machine's clock that is set while the process runs moves no
 * deadline; whoever judges that the process is wrong {@linkplain #shift shifts} it. For any thread.
 */
public final class SteadyClock implements InstantSource {
  private final InstantSource machine;
  private final LongSupplier nanos;
  private final long startedNs;
  private final AtomicLong startedMs;

  /**
   * A clock that says now what the machine's says.
   *
   * @param nanos a monotonic clock, nanoseconds from anywhere
   */
  public SteadyClock(InstantSource machine, LongSupplier nanos) {
    this.machine = machine;
    this.nanos = nanos;
    this.startedNs = nanos.getAsLong();
    this.startedMs = new AtomicLong(machine.millis());
  }

  /** A clock of this machine. */
  public static SteadyClock system() {
    return new SteadyClock(InstantSource.system(), System::nanoTime);
  }

  @Override
  public long millis() {
    return startedMs.get() + Math.floorDiv(nanos.getAsLong() - startedNs, 1_000_000L);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  /** How far the machine's clock is ahead of this one, in milliseconds; below 0 when behind. */
  public long machineAheadMs() {
    return machine.millis() - millis();
  }

  /** Moves this clock ahead, or back where the number is below 0. */
  public void shift(long byMs) {
    startedMs.addAndGet(byMs);
  }
}
