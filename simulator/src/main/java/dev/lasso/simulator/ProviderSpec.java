package dev.lasso.simulator;

import dev.lasso.simulator.fault.FaultRule;
import dev.lasso.simulator.node.NodeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A provider: a node behind a port.
 *
 * @param id unique in its simulation
 * @param chain name of the chain its node follows
 * @param port TCP port on the loopback interface; 0 takes a free one
 * @param latency time before every answer
 * @param jitter up to this much more, evenly distributed
 * @param requestsPerSecond calls it accepts per second before it answers HTTP 429; 0 for no quota
 * @param node its node
 * @param faults faults in force from the start
 */
public record ProviderSpec(
    String id,
    String chain,
    int port,
    Duration latency,
    Duration jitter,
    int requestsPerSecond,
    NodeSpec node,
    List<FaultRule> faults) {

  /** Checks ranges and copies the faults. */
  public ProviderSpec {
    faults = List.copyOf(faults);
    if (!id.matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException(
          "provider id has only letters, digits and . _ -, was '" + id + "'");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("provider " + id + ": no such port: " + port);
    }
    if (latency.isNegative() || jitter.isNegative() || requestsPerSecond < 0) {
      throw new IllegalArgumentException(
          "provider " + id + ": latency, jitter and requestsPerSecond must not be negative");
    }
  }

  /** A faultless archival provider that answers at once on a free port. */
  public static ProviderSpec of(String id, String chain) {
    return new ProviderSpec(
        id, chain, 0, Duration.ZERO, Duration.ZERO, 0, NodeSpec.archivalNode(), List.of());
  }

  /** This provider on a fixed port. */
  public ProviderSpec withPort(int newPort) {
    return new ProviderSpec(id, chain, newPort, latency, jitter, requestsPerSecond, node, faults);
  }

  /** This provider with another latency. */
  public ProviderSpec withLatency(Duration newLatency, Duration newJitter) {
    return new ProviderSpec(
        id, chain, port, newLatency, newJitter, requestsPerSecond, node, faults);
  }

  /** This provider with a quota of calls per second. */
  public ProviderSpec withRequestsPerSecond(int newRequestsPerSecond) {
    return new ProviderSpec(id, chain, port, latency, jitter, newRequestsPerSecond, node, faults);
  }

  /** This provider with another node. */
  public ProviderSpec withNode(NodeSpec newNode) {
    return new ProviderSpec(id, chain, port, latency, jitter, requestsPerSecond, newNode, faults);
  }

  /** This provider with one more fault, as text; see {@link FaultRule#parse}. */
  public ProviderSpec withFault(String rule) {
    List<FaultRule> more = new ArrayList<>(faults);
    more.add(FaultRule.parse(rule));
    return new ProviderSpec(id, chain, port, latency, jitter, requestsPerSecond, node, more);
  }
}
