package dev.lasso.benchmark;

import dev.lasso.routing.Channel;
import dev.lasso.routing.event.LatencyDigest;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was told about one channel and method within one slice of the window, by all processes
 * together. Remembers how far each process has told, so that a digest delivered twice, or read
 * again after a crash, counts once: a process's digests for one key come in order. Immutable.
 *
 * @param channel the channel, as the last digest names its provider
 * @param latencies latencies of the successes
 * @param successes how many attempts succeeded
 * @param failures how many failed
 * @param penalised how many of those the circuit counts
 * @param newestMs end of the newest digest in it, milliseconds since the epoch
 * @param toldUntilMs end of the last digest of each process, milliseconds since the epoch
 */
record Bucket(
    Channel channel,
    LatencyCounts latencies,
    long successes,
    long failures,
    long penalised,
    long newestMs,
    Map<String, Long> toldUntilMs) {
  Bucket {
    toldUntilMs = Collections.unmodifiableMap(new TreeMap<>(toldUntilMs));
  }

  static Bucket empty(Channel channel) {
    return new Bucket(channel, LatencyCounts.NONE, 0, 0, 0, 0, Map.of());
  }

  /** Whether the digest, or a later one of its process, is in it already. */
  boolean holds(LatencyDigest digest) {
    return toldUntilMs.getOrDefault(digest.process(), Long.MIN_VALUE) >= digest.toMs();
  }

  /**
   * With a digest that it does not hold yet.
   *
   * @param endMs when the digest ended by this process's clock
   * @throws IllegalArgumentException when the digest's histogram can't be read
   */
  Bucket plus(LatencyDigest digest, long endMs) {
    Map<String, Long> told = new TreeMap<>(toldUntilMs);
    told.put(digest.process(), digest.toMs());
    long failed = digest.failures().values().stream().mapToLong(Long::longValue).sum();
    return new Bucket(
        digest.channel(),
        latencies.plus(LatencyCounts.decode(digest.histogram())),
        successes + digest.successes(),
        failures + failed,
        penalised + digest.penalisedFailures(),
        Math.max(newestMs, endMs),
        told);
  }
}
