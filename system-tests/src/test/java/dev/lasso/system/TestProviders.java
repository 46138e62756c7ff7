package dev.lasso.system;

import dev.lasso.simulator.ProviderSpec;
import dev.lasso.simulator.Simulation;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.node.SimNode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Simulated providers of one chain, {@code main}, in the test's own process. */
public final class TestProviders implements AutoCloseable {
  /** The chain's. */
  public static final long CHAIN_ID = 1337;

  private final Simulation simulation;

  private TestProviders(Simulation simulation) {
    this.simulation = simulation;
  }

  /** Starts providers with these ids, all well, with a block each second. */
  static TestProviders start(String... ids) {
    return start(Duration.ofSeconds(1), ids);
  }

  /** As {@link #start(String...)} with another distance between blocks. */
  public static TestProviders start(Duration blockTime, String... ids) {
    Simulation.Builder builder =
        Simulation.builder()
            .chain(ChainSpec.of("main", CHAIN_ID).withBlockTime(blockTime).withInitialBlocks(50));
    for (String id : ids) {
      builder.provider(ProviderSpec.of(id, "main"));
    }
    Simulation simulation = builder.build();
    try {
      simulation.start().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the providers did not start", e);
    }
    return new TestProviders(simulation);
  }

  /** A profile file that names these of them. */
  String profile(String slug, String... ids) {
    StringBuilder yaml = new StringBuilder(head(slug));
    for (String id : ids) {
      yaml.append(provider(id, id));
    }
    return yaml.toString();
  }

  /** The beginning of a profile file, up to its providers. */
  public static String head(String slug) {
    return """
    name: Test
    slug: %s
    rps_limit: 0
    burst_limit: 0
    chains:
      main:
        chain_id: %d
        block_time_ms: 1000
        aliases: [primary]
        monitoring:
          probe_interval_ms: 1000
        providers:
    """
        .formatted(slug, CHAIN_ID);
  }

  /** The lines of a profile file for one of them, under another id. */
  public String provider(String id, String as) {
    return "      - id: %s\n        url: %s\n".formatted(as, url(id));
  }

  /** Where one of them is; it answers on any path. */
  String url(String id) {
    return simulation.provider(id).httpUrl();
  }

  /** As {@link #provider} with the provider's WebSocket. */
  public String webSocketProvider(String id) {
    return provider(id, id) + "        ws_url: %s\n".formatted(simulation.provider(id).wsUrl());
  }

  /** The chain that all of them tell of. */
  public SimChain chain() {
    return simulation.chain("main");
  }

  /** One of them, for whoever asks it without a network. */
  public SimNode node(String id) {
    return simulation.provider(id).node();
  }

  /** What is wrong with one of them. */
  FaultBoard faults(String id) {
    return simulation.provider(id).faults();
  }

  /** How many calls of a method one of them got so far. */
  long calls(String id, String method) {
    return simulation.provider(id).stats().requests(method);
  }

  @Override
  public void close() {
    simulation.close();
  }
}
