package dev.lasso.system;

import dev.lasso.engine.process.PartitionShare;
import dev.lasso.routing.ChainId;
import dev.lasso.schemas.Topic;
import dev.lasso.simulator.ProviderSpec;
import dev.lasso.simulator.Simulation;
import dev.lasso.simulator.chain.ChainSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Simulated providers of several chains in the test's own process: a chain in each partition of a
 * topic that has chains as keys, two providers each, a block each second.
 */
final class ManyChains implements AutoCloseable {
  private static final int PROVIDERS_EACH = 2;

  private final List<ChainId> chains;
  private final Simulation simulation;

  private ManyChains(List<ChainId> chains, Simulation simulation) {
    this.chains = chains;
    this.simulation = simulation;
  }

  /** Starts them. */
  static ManyChains start(Topic<ChainId, ?> topic) {
    List<ChainId> chains = oneInEachPartition(topic);
    Simulation.Builder builder = Simulation.builder();
    for (ChainId chain : chains) {
      builder.chain(
          ChainSpec.of(name(chain), chain.value())
              .withBlockTime(Duration.ofSeconds(1))
              .withInitialBlocks(50));
      for (int i = 0; i < PROVIDERS_EACH; i++) {
        builder.provider(ProviderSpec.of(provider(chain, i), name(chain)));
      }
    }
    Simulation simulation = builder.build();
    try {
      simulation.start().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the providers did not start", e);
    }
    return new ManyChains(chains, simulation);
  }

  private static List<ChainId> oneInEachPartition(Topic<ChainId, ?> topic) {
    int partitions = topic.spec().partitions();
    PartitionShare<ChainId> places = new PartitionShare<>(topic.keys(), partitions);
    List<ChainId> chains = new ArrayList<>();
    for (long id = 1_001; places.assigned().size() < partitions; id++) {
      ChainId chain = ChainId.of(id);
      if (!places.holds(chain)) {
        places.add(places.partition(chain));
        chains.add(chain);
      }
    }
    return chains;
  }

  /** How many providers there are. */
  int providers() {
    return chains.size() * PROVIDERS_EACH;
  }

  /** A profile file that names all of them, each to be looked at so often. */
  String profile(String slug, Duration probeInterval) {
    StringBuilder yaml =
        new StringBuilder(
            """
            name: Test
            slug: %s
            rps_limit: 0
            burst_limit: 0
            chains:
            """
                .formatted(slug));
    for (ChainId chain : chains) {
      yaml.append(
          """
            %s:
              chain_id: %s
              block_time_ms: 1000
              monitoring:
                probe_interval_ms: %d
              providers:
          """
              .formatted(name(chain), chain, probeInterval.toMillis()));
      for (int i = 0; i < PROVIDERS_EACH; i++) {
        String id = provider(chain, i);
        yaml.append(
            "      - id: %s\n        url: %s\n".formatted(id, simulation.provider(id).httpUrl()));
      }
    }
    return yaml.toString();
  }

  /** The paths at a gateway that lead to each provider. */
  List<String> paths(String slug) {
    List<String> paths = new ArrayList<>();
    for (ChainId chain : chains) {
      for (int i = 0; i < PROVIDERS_EACH; i++) {
        paths.add(
            "/rpc/profile/%s/provider/%s/%s".formatted(slug, provider(chain, i), name(chain)));
      }
    }
    return paths;
  }

  private static String name(ChainId chain) {
    return "chain-" + chain;
  }

  private static String provider(ChainId chain, int index) {
    return "provider-" + chain + "-" + index;
  }

  @Override
  public void close() {
    simulation.close();
  }
}
