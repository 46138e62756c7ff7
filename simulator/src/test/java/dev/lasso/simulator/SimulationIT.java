package dev.lasso.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.time.ManualSimClock;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SimulationIT {

  private final Clients clients = new Clients();

  @Test
  void minesByTheClockAndFollowsTheScript() {
    ManualSimClock clock = new ManualSimClock(1_760_000_000_000L);
    try (Simulation simulation =
        Simulation.builder()
            .clock(clock)
            .chain(ChainSpec.of("test", 1).withBlockTime(Duration.ofSeconds(2)))
            .provider(ProviderSpec.of("a", "test"))
            .script(
                FaultScript.parse(
                    """
                    # a storm
                    5s  a           http:503 for=10s
                    7s  chain:test  pause
                    30s a           clear
                    """))
            .build()) {
      simulation.start().await();

      clock.advance(Duration.ofSeconds(5));
      assertThat(simulation.chain("test").head().number()).isEqualTo(2);
      assertThat(simulation.chain("test").head().header().timestamp()).isEqualTo(1_760_000_004L);
      assertThat(simulation.provider("a").faults().inForce()).hasSize(1);
      clock.advance(Duration.ofSeconds(10));
      assertThat(simulation.chain("test").head().number()).isEqualTo(3);
      assertThat(simulation.provider("a").faults().inForce()).isEmpty();
    }
  }

  @Test
  void quotasFillUpAgain() throws Exception {
    ManualSimClock clock = new ManualSimClock(0);
    try (Simulation simulation =
        Simulation.builder()
            .clock(clock)
            .chain(ChainSpec.of("test", 1))
            .provider(ProviderSpec.of("a", "test").withRequestsPerSecond(2))
            .build()) {
      simulation.start().await();
      SimProvider provider = simulation.provider("a");

      assertThat(clients.rpc(provider, "eth_chainId", "[]").has("result")).isTrue();
      assertThat(clients.rpc(provider, "eth_chainId", "[]").has("result")).isTrue();
      assertThat(clients.post(provider, Clients.call("eth_chainId", "[]")).statusCode())
          .isEqualTo(429);
      clock.advance(Duration.ofMillis(500));
      assertThat(clients.rpc(provider, "eth_chainId", "[]").has("result")).isTrue();
    }
  }

  @Test
  void aTakenPortIsReportedAndNothingStaysOpen() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Simulation simulation =
          Simulation.builder()
              .chain(ChainSpec.of("test", 1))
              .provider(ProviderSpec.of("a", "test"))
              .provider(ProviderSpec.of("b", "test").withPort(taken.getLocalPort()))
              .build();

      assertThatThrownBy(() -> simulation.start().await()).isInstanceOf(BindException.class);
      assertThatThrownBy(() -> clients.rpc(simulation.provider("a"), "eth_chainId", "[]"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void theDemoRunsItsCastOnBothChains() throws Exception {
    try (Demo demo = Demo.start(0, 42).await()) {
      assertThat(demo.providers())
          .extracting(Demo.DemoProvider::id)
          .contains("ethereum_fast", "ethereum_rate-limited", "base_lagging")
          .hasSize(10);
      SimProvider fast = demo.simulation().provider("ethereum_fast");
      SimProvider lagging = demo.simulation().provider("ethereum_lagging");
      assertThat(clients.rpc(fast, "eth_chainId", "[]").get("result").asText()).isEqualTo("0x1");
      long head = demo.simulation().chain("ethereum").head().number();
      assertThat(head).isGreaterThanOrEqualTo(300);
      assertThat(lagging.node().head().number()).isLessThan(head);

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> demo.simulation().chain("base").head().number() >= 302);
    }
  }
}
