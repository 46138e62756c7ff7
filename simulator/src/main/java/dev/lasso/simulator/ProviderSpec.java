package dev.lasso.simulator;

import dev.lasso.simulator.fault.FaultRule;
import dev.lasso.simulator.node.NodeSpec;
import dev.lasso.simulator.time.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  /**
   * Reads an id and options, say {@code slow chain=ethereum latency=200ms jitter=50ms lag=3}. The
   * options are {@code chain} (required), {@code port, latency, jitter, rps, lag, archival,
   * logRange, traceBytes}.
   *
   * @throws IllegalArgumentException naming the option and what is expected
   */
  public static ProviderSpec parse(String text) {
    String[] words = text.strip().split("\\s+");
    Map<String, String> options = new LinkedHashMap<>();
    for (String word : List.of(words).subList(1, words.length)) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "provider " + words[0] + ": expected option=value, was '" + word + "'");
      }
      options.put(word.substring(0, equals), word.substring(equals + 1));
    }
    String chain = options.remove("chain");
    if (chain == null) {
      throw new IllegalArgumentException("provider " + words[0] + ": chain=NAME is missing");
    }
    ProviderSpec spec = of(words[0], chain);
    for (Map.Entry<String, String> option : options.entrySet()) {
      spec = spec.withOption(option.getKey(), option.getValue());
    }
    return spec;
  }

  private ProviderSpec withOption(String option, String value) {
    try {
      return switch (option) {
        case "port" -> withPort(Integer.parseInt(value));
        case "latency" -> withLatency(TimeText.parse(value), jitter);
        case "jitter" -> withLatency(latency, TimeText.parse(value));
        case "rps" -> withRequestsPerSecond(Integer.parseInt(value));
        case "lag" -> withNode(node.withHeadOffset(Integer.parseInt(value)));
        case "archival" -> withNode(node.withArchival(Boolean.parseBoolean(value)));
        case "logRange" -> withNode(node.withMaxLogRange(Integer.parseInt(value)));
        case "traceBytes" -> withNode(node.withTraceBytes(Long.parseLong(value)));
        default ->
            throw new IllegalArgumentException(
                "provider "
                    + id
                    + ": unknown option '"
                    + option
                    + "', known are chain, port, latency, jitter, rps, lag, archival, logRange,"
                    + " traceBytes");
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "provider " + id + ": option '" + option + "' needs a number, was '" + value + "'", e);
    }
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
