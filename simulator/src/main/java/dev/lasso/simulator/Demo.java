package dev.lasso.simulator;

import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.node.NodeSpec;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * The standard cast of {@code lasso demo}: two chains, each served by five providers that are fast,
 * slow, flaky, lagging and rate-limited. Thread-safe.
 */
public final class Demo implements AutoCloseable {

  private static final int PAST = 300;

  private final Simulation simulation;
  private final List<DemoProvider> providers;

  private Demo(Simulation simulation) {
    this.simulation = simulation;
    this.providers =
        simulation.providers().stream()
            .map(provider -> DemoProvider.of(provider, simulation.chain(provider.spec().chain())))
            .toList();
  }

  /** The demo's chains: {@code ethereum} (id 1, 2 s) and {@code base} (id 8453, 1 s). */
  static List<ChainSpec> chains(long seed) {
    long now = System.currentTimeMillis() / 1000;
    return List.of(
        chain("ethereum", 1, seed, Duration.ofSeconds(2)).endingAt(now),
        chain("base", 8453, seed, Duration.ofSeconds(1)).endingAt(now));
  }

  private static ChainSpec chain(String name, long chainId, long seed, Duration blockTime) {
    return ChainSpec.of(name, chainId)
        .withSeed(seed)
        .withBlockTime(blockTime)
        .withInitialBlocks(PAST)
        .withRetainedBlocks(4096);
  }

  /** The demo's providers of one chain, named {@code CHAIN_fast} and so on, on free ports. */
  static List<ProviderSpec> providers(String chain) {
    NodeSpec archival = NodeSpec.archivalNode();
    NodeSpec recent = archival.withArchival(false);
    return List.of(
        spec(chain, "fast", 8, 4).withNode(archival),
        spec(chain, "slow", 250, 100).withNode(archival),
        spec(chain, "flaky", 40, 20)
            .withNode(recent)
            .withFault("http:503 p=0.12")
            .withFault("rpcError:-32603:internal error p=0.05")
            .withFault("reset on=http p=0.03")
            .withFault("hang on=http p=0.02"),
        spec(chain, "lagging", 30, 10).withNode(recent.withHeadOffset(8)),
        spec(chain, "rate-limited", 12, 6).withNode(recent).withRequestsPerSecond(10));
  }

  private static ProviderSpec spec(String chain, String name, int latency, int jitter) {
    return ProviderSpec.of(chain + "_" + name, chain)
        .withLatency(Duration.ofMillis(latency), Duration.ofMillis(jitter));
  }

  /**
   * Starts the demo.
   *
   * @param portBase first of ten consecutive ports; 0 takes free ones
   * @param seed contents of chains and chance of faults follow from it
   * @return completes when all ports are open
   */
  public static Future<Demo> start(int portBase, long seed) {
    return SimulationPlan.parse(portBase, seed, List.of(), List.of(), "")
        .toSimulation()
        .start()
        .map(Demo::new);
  }

  /** Every provider with its URLs, by chain. */
  public List<DemoProvider> providers() {
    return providers;
  }

  /** The running simulation, to break things in. */
  public Simulation simulation() {
    return simulation;
  }

  /** Stops everything; see {@link Simulation#close()}. */
  @Override
  public void close() {
    simulation.close();
  }

  /**
   * What a profile needs to know of a provider.
   *
   * @param id unique in the demo
   * @param chain name of its chain
   * @param chainId EIP-155 id of its chain
   * @param blockTime of its chain
   * @param httpUrl JSON-RPC by HTTP
   * @param wsUrl JSON-RPC by WebSocket
   * @param archival whether it has all states
   */
  public record DemoProvider(
      String id,
      String chain,
      long chainId,
      Duration blockTime,
      String httpUrl,
      String wsUrl,
      boolean archival) {

    static DemoProvider of(SimProvider provider, SimChain chain) {
      return new DemoProvider(
          provider.spec().id(),
          provider.spec().chain(),
          chain.spec().chainId(),
          chain.spec().blockTime(),
          provider.httpUrl(),
          provider.wsUrl(),
          provider.spec().node().archival());
    }
  }
}
