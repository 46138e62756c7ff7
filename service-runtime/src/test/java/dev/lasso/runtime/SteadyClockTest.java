package dev.lasso.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private static final long HOUR_MS = 3_600_000;

  private final AtomicLong machineMs = new AtomicLong(1_000_000);
  private final AtomicLong nanos = new AtomicLong(-5);
  private final SteadyClock clock =
      new SteadyClock(() -> Instant.ofEpochMilli(machineMs.get()), nanos::get);

  @Test
  void whatPassesIsMonotonicTime() {
    assertThat(clock.millis()).isEqualTo(1_000_000);
    nanos.addAndGet(2_500_000_000L);
    assertThat(clock.millis()).isEqualTo(1_002_500);
    assertThat(clock.instant()).isEqualTo(Instant.ofEpochMilli(1_002_500));
  }

  @Test
  void aMachinesClockThatIsSetMovesNothingAndIsTold() {
    machineMs.addAndGet(HOUR_MS);
    assertThat(clock.millis()).isEqualTo(1_000_000);
    assertThat(clock.machineAheadMs()).isEqualTo(HOUR_MS);
    machineMs.addAndGet(-2 * HOUR_MS);
    assertThat(clock.machineAheadMs()).isEqualTo(-HOUR_MS);
  }

  @Test
  void aShiftMovesIt() {
    clock.shift(-500);
    nanos.addAndGet(1_000_000);
    assertThat(clock.millis()).isEqualTo(999_501);
  }
}
