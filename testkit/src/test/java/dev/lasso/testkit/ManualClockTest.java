package dev.lasso.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final ManualClock clock = new ManualClock();

  @Test
  void standsStillUntilTold() {
    assertThat(clock.instant()).isEqualTo(ManualClock.START).isEqualTo(clock.instant());
  }

  @Test
  void wallTimeAndNanosecondsMoveTogether() {
    clock.advance(Duration.ofSeconds(2));
    clock.advanceMs(3);

    assertThat(clock.millis()).isEqualTo(ManualClock.START.toEpochMilli() + 2_003);
    assertThat(clock.nanoTime()).isEqualTo(2_003_000_000L);
  }

  @Test
  void refusesToGoBack() {
    assertThatThrownBy(() -> clock.advanceMs(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
