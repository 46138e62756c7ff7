package dev.lasso.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClockStepsTest {
  private final AtomicLong machineMs = new AtomicLong(1_000_000);
  private final AtomicLong nanos = new AtomicLong(77);
  private final ClockSteps steps = new ClockSteps(machineMs::get, nanos::get);

  @Test
  void timeThatPassesIsNoStep() {
    pass(3_600_000);
    assertThat(steps.setBack()).isFalse();
  }

  @Test
  void aClockThatIsSetAheadHarmsNobodyUntilItIsSetRight() {
    machineMs.addAndGet(3_600_000);
    assertThat(steps.setBack()).isFalse();
    pass(10_000);
    machineMs.addAndGet(-3_600_000);
    assertThat(steps.setBack()).isTrue();
  }

  @Test
  void aClockThatIsSetBackIsNoticedAndStaysSo() {
    machineMs.addAndGet(-3_600_000);
    pass(5_000);
    assertThat(steps.setBack()).isTrue();
    assertThat(steps.setBack()).isTrue();
  }

  @Test
  void aCorrectionOfMomentsIsNone() {
    machineMs.addAndGet(-1_000);
    assertThat(steps.setBack()).isFalse();
  }

  private void pass(long ms) {
    machineMs.addAndGet(ms);
    nanos.addAndGet(ms * 1_000_000);
  }
}
