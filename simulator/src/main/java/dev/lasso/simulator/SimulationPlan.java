package dev.lasso.simulator;

import dev.lasso.simulator.chain.ChainSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code lasso simulate} runs, read from its options.
 *
 * @param seed contents of chains and chance of faults follow from it
 * @param chains the chains
 * @param providers the providers, each on its port
 * @param script what goes wrong when
 */
public record SimulationPlan(
    long seed, List<ChainSpec> chains, List<ProviderSpec> providers, FaultScript script) {

  private static final int PAST = 300;

  /** Copies the lists. */
  public SimulationPlan {
    chains = List.copyOf(chains);
    providers = List.copyOf(providers);
  }

  /**
   * Reads the options.
   *
   * @param portBase port of the first provider that names none, the others follow; 0 for free ones
   * @param seed see above
   * @param chains as {@link ChainSpec#parse} reads them; the demo's chains if there are none
   * @param providers as {@link ProviderSpec#parse} reads them; the demo's cast for each chain if
   *     there are none
   * @param script as {@link FaultScript#parse} reads it
   * @throws IllegalArgumentException naming the option's word that is wrong
   */
  public static SimulationPlan parse(
      int portBase, long seed, List<String> chains, List<String> providers, String script) {
    long now = System.currentTimeMillis() / 1000;
    List<ChainSpec> chainSpecs =
        chains.isEmpty()
            ? Demo.chains(seed)
            : chains.stream()
                .map(ChainSpec::parse)
                .map(spec -> spec.withSeed(seed).withInitialBlocks(PAST).endingAt(now))
                .toList();
    List<ProviderSpec> providerSpecs = new ArrayList<>();
    if (providers.isEmpty()) {
      chainSpecs.forEach(chain -> providerSpecs.addAll(Demo.providers(chain.name())));
    } else {
      providers.forEach(text -> providerSpecs.add(ProviderSpec.parse(text)));
    }
    int port = portBase;
    for (int i = 0; i < providerSpecs.size() && portBase != 0; i++) {
      if (providerSpecs.get(i).port() == 0) {
        providerSpecs.set(i, providerSpecs.get(i).withPort(port));
        port++;
      }
    }
    return new SimulationPlan(seed, chainSpecs, providerSpecs, FaultScript.parse(script));
  }

  /**
   * The simulation by the system's clock, not yet started.
   *
   * @throws IllegalArgumentException as {@link Simulation.Builder#build} does
   */
  public Simulation toSimulation() {
    Simulation.Builder builder = Simulation.builder().seed(seed).script(script);
    chains.forEach(builder::chain);
    providers.forEach(builder::provider);
    return builder.build();
  }
}
