package dev.lasso.system;

import dev.lasso.simulator.ProviderSpec;
import dev.lasso.simulator.Simulation;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.FaultBoard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Simulated providers of two chains, seeded, in the test's own process, and the profiles that name
 * them: on {@code main} everything breaks in turn, on {@code side} only {@code shaky} does. Their
 * URLs and headers hold what must never be told.
 */
final class IncidentProviders implements AutoCloseable {
  /** Stand in URLs, headers and keys; none may turn up anywhere else. */
  static final List<String> SECRETS =
      List.of("k3y-in-path", "k3y-in-query", "k3y-in-header", "k3y-of-ws", "k3y-of-provider");

  /** The key that clients send; it may be counted, never kept. */
  static final String CLIENT_KEY = "k3y-of-client";

  private static final List<String> MAIN = List.of("alpha", "beta", "gamma", "delta");
  private static final List<String> SIDE = List.of("shaky", "calm", "spare");

  private final Simulation simulation;

  private IncidentProviders(Simulation simulation) {
    this.simulation = simulation;
  }

  static IncidentProviders start() {
    Simulation.Builder builder =
        Simulation.builder()
            .seed(5)
            .chain(chain("main", 1337).withBlockTime(Duration.ofSeconds(1)))
            .chain(chain("side", 4242).withBlockTime(Duration.ofSeconds(2)));
    for (String id : MAIN) {
      builder.provider(
          ProviderSpec.of(id, "main").withLatency(Duration.ofMillis(3), Duration.ofMillis(4)));
    }
    for (String id : SIDE) {
      int latencyMs = id.equals("shaky") ? 3 : 15;
      builder.provider(
          ProviderSpec.of(id, "side")
              .withLatency(Duration.ofMillis(latencyMs), Duration.ofMillis(4)));
    }
    Simulation simulation = builder.build();
    try {
      simulation.start().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the providers did not start", e);
    }
    return new IncidentProviders(simulation);
  }

  private static ChainSpec chain(String name, long id) {
    return ChainSpec.of(name, id).withInitialBlocks(300);
  }

  /** The profile under which everything breaks in turn. */
  String chaos() {
    return head("chaos", "main", 1337, 1_000)
        + """
            routing:
              default_strategy: load_balanced
              hedge:
                after: 60
              method_overrides:
                eth_getLogs:
                  strategy: priority
                eth_call:
                  providers: [beta, gamma, delta]
            providers:
        """
        + provider("alpha", 1)
        + provider("beta", 2)
        + provider("gamma", 3)
        + provider("delta", 4);
  }

  /** The same after somebody changed it: another order, a provider less, no hedges. */
  String chaosChanged() {
    return head("chaos", "main", 1337, 1_000)
        + """
            routing:
              default_strategy: fastest
            providers:
        """
        + provider("delta", 1)
        + provider("beta", 2)
        + provider("alpha", 3);
  }

  /** A profile that has nobody but {@code alpha}. */
  String lonely() {
    return head("lonely", "main", 1337, 1_000) + "    providers:\n" + provider("alpha", 1);
  }

  /** The profile whose first choice, {@code shaky}, is in trouble. */
  String incident() {
    return head("incident", "side", 4242, 2_000)
        + """
            routing:
              default_strategy: priority
            providers:
        """
        + provider("shaky", 1)
        + provider("calm", 2)
        + provider("spare", 3);
  }

  private static String head(String slug, String chain, long chainId, int blockTimeMs) {
    return """
    name: Replay
    slug: %s
    rps_limit: 0
    burst_limit: 0
    chains:
      %s:
        chain_id: %d
        block_time_ms: %d
        monitoring:
          probe_interval_ms: 1000
        selection:
          max_lag_blocks: 3
    """
        .formatted(slug, chain, chainId, blockTimeMs);
  }

  private String provider(String id, int priority) {
    return """
          - id: %s
            url: %s/v3/k3y-in-path?apikey=k3y-in-query
            ws_url: %s?token=k3y-of-ws
            priority: %d
            headers:
              X-Token: k3y-in-header
            api_key: k3y-of-provider
    """
        .formatted(id, simulation.provider(id).httpUrl(), simulation.provider(id).wsUrl(), priority)
        .indent(2);
  }

  /** What is wrong with one of them. */
  FaultBoard faults(String id) {
    return simulation.provider(id).faults();
  }

  SimChain chain(String name) {
    return simulation.chain(name);
  }

  @Override
  public void close() {
    simulation.close();
  }
}
