package dev.lasso.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.testkit.ManualClock;
import org.junit.jupiter.api.Test;

class ProcessIdTest {
  @Test
  void twoProcessesOfARoleDiffer() {
    ProcessId one = ProcessId.starting("gateway", "eu-west", new ManualClock());
    ProcessId other = ProcessId.starting("gateway", "eu-west", new ManualClock());

    assertThat(one.process()).matches("gateway-[0-9a-f]{8}").isNotEqualTo(other.process());
    assertThat(one.startedAt()).isEqualTo(ManualClock.START);
    assertThat(one.key()).isEqualTo("eu-west|gateway|" + one.process());
  }

  @Test
  void aRegionThatWouldBreakKeysIsRefused() {
    assertThatThrownBy(() -> ProcessId.starting("gateway", "eu|west", new ManualClock()))
        .hasMessageContaining("region")
        .hasMessageContaining("eu|west");
  }
}
