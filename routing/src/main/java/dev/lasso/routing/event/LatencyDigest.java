package dev.lasso.routing.event;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.errors.ErrorClass;
import java.util.Map;

/**
 * All attempts of one (profile, chain, channel, method) that ended in one process within one
 * interval, as a mergeable summary. Topic {@code latency-digests}.
 *
 * @param region where they were sent from
 * @param process the sending process
 * @param profile whose requests they were
 * @param chain the chain asked
 * @param channel where they went
 * @param method the JSON-RPC method
 * @param fromMs start of the interval, inclusive
 * @param toMs end of the interval, exclusive
 * @param histogram latencies of the successes in microseconds: an HdrHistogram in its compressed V2
 *     encoding
 * @param successes how many succeeded
 * @param failures how many failed, by class
 */
public record LatencyDigest(
    Region region,
    String process,
    ProfileSlug profile,
    ChainId chain,
    Channel channel,
    String method,
    long fromMs,
    long toMs,
    Bytes histogram,
    long successes,
    Map<ErrorClass, Long> failures) {
  public LatencyDigest {
    failures = Map.copyOf(failures);
  }

  /** Failures that the circuit counts. */
  public long penalisedFailures() {
    return failures.entrySet().stream()
        .filter(entry -> entry.getKey().penalised())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
