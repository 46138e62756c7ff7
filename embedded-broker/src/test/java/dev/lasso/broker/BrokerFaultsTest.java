package dev.lasso.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.Test;

class BrokerFaultsTest {
  private final BrokerFaults faults = new BrokerFaults();
  private final AtomicInteger actions = new AtomicInteger();

  @Test
  void theFirstFatalFaultIsRemembered() {
    var handler = faults.handler("raft manager", true, actions::incrementAndGet);

    RuntimeException thrown =
        handler.handleFault("append failed", new IllegalStateException("disk full"));
    handler.handleFault("and again", null);

    assertThat(faults.fatal()).contains("raft manager: append failed: disk full");
    assertThat(thrown).hasMessage("raft manager: append failed");
    assertThat(actions).hasValue(2);

    faults.clear();
    assertThat(faults.fatal()).isEmpty();
  }

  @Test
  void otherFaultsPass() {
    faults.handler("metadata publishing", false, actions::incrementAndGet).handleFault("odd", null);

    assertThat(faults.fatal()).isEmpty();
    assertThat(actions).hasValue(1);
  }

  @Test
  void kafkaDoesNotEndTheProcess() {
    assertThatThrownBy(() -> Exit.halt(1, "all log directories failed"))
        .hasMessageContaining("all log directories failed");
    assertThatThrownBy(() -> Exit.exit(1, "no quorum")).hasMessageContaining("no quorum");
    assertThat(faults.fatal()).contains("every data directory failed");
    assertThat(new BrokerFaults().fatal()).as("what an earlier broker met").isEmpty();
  }

  @Test
  void aFullDiskIsNamedByWhatTheSystemSaid() {
    faults
        .handler("raft manager", true, actions::incrementAndGet)
        .handleFault(
            "append failed",
            new IllegalStateException("in dir /data", new IOException("No space left on device")));
    assertThat(faults.fatal())
        .contains("raft manager: append failed: in dir /data: No space left on device");
  }
}
