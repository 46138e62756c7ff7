package dev.lasso.benchmarks.subscriptions;

import static dev.lasso.benchmarks.subscriptions.Platform.say;

import dev.lasso.simulator.ProviderStats;
import dev.lasso.simulator.SimProvider;
import dev.lasso.simulator.Simulation;
import dev.lasso.simulator.chain.SimBlock;
import java.util.ArrayList;
import java.util.List;

/**
 * What the simulated providers were asked for so far.
 *
 * @param subscriptions active subscriptions at each provider
 * @param subscribes {@code eth_subscribe} calls, over all
 * @param logs {@code eth_getLogs} calls, over all
 */
record Upstream(List<Long> subscriptions, long subscribes, long logs) {
  Upstream {
    subscriptions = List.copyOf(subscriptions);
  }

  static Upstream of(Simulation simulation) {
    List<ProviderStats> stats = simulation.providers().stream().map(SimProvider::stats).toList();
    return new Upstream(
        stats.stream().map(ProviderStats::subscriptions).toList(),
        stats.stream().mapToLong(of -> of.requests("eth_subscribe")).sum(),
        stats.stream().mapToLong(of -> of.requests("eth_getLogs")).sum());
  }

  /**
   * What was asked while some blocks were mined.
   *
   * @param blocksWithLogs blocks of which logs had to be asked for
   */
  record Spent(List<Long> subscriptions, long subscribes, long logs, long blocksWithLogs) {
    Spent {
      subscriptions = List.copyOf(subscriptions);
    }

    void report() {
      say(
          "upstream: subscriptions at the providers %s, %d eth_subscribe in all;"
              + " %d eth_getLogs for %d blocks with logs",
          subscriptions, subscribes, logs, blocksWithLogs);
    }

    List<String> faults() {
      List<String> found = new ArrayList<>();
      if (subscriptions.stream().anyMatch(count -> count != 1)) {
        found.add("not one subscription at each provider: " + subscriptions);
      }
      if (logs != blocksWithLogs) {
        found.add(logs + " eth_getLogs for " + blocksWithLogs + " blocks with logs");
      }
      return found;
    }
  }

  Spent until(Upstream later, List<SimBlock> mined) {
    return new Spent(
        later.subscriptions(),
        later.subscribes(),
        later.logs() - logs,
        mined.stream().filter(block -> !block.logs().isEmpty()).count());
  }
}
