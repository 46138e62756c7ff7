package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.ScanLimits;

/**
 * How providers are called over HTTP. Limits of connections are for one provider and one event
 * loop.
 *
 * @param maxConnections most connections open at once
 * @param maxWaiting most calls that may wait for one
 * @param connectTimeoutMs longest time to connect, TLS included
 * @param idleTimeoutMs an idle connection is closed after this long; a shorter {@code Keep-Alive}
 *     of the provider is kept to
 * @param freshWithinMs a request that must not be sent twice uses an idle connection only this soon
 *     after its last answer
 * @param maxHeaderBytes largest response head
 * @param maxResponseBytes largest response body, decompressed
 * @param compress whether compressed answers are asked for
 * @param streamStallMs a streamed answer may stand still for this long while its reader waits
 * @param maxStreamMs a streamed answer may take this long in all
 * @param scan how much of an answer is held in memory
 */
public record HttpSettings(
    int maxConnections,
    int maxWaiting,
    int connectTimeoutMs,
    long idleTimeoutMs,
    long freshWithinMs,
    int maxHeaderBytes,
    long maxResponseBytes,
    boolean compress,
    long streamStallMs,
    long maxStreamMs,
    ScanLimits scan) {
  public static final HttpSettings DEFAULT =
      new HttpSettings(
          256,
          1024,
          5_000,
          15_000,
          500,
          32 << 10,
          2L << 30,
          true,
          15_000,
          600_000,
          ScanLimits.DEFAULT);

  public HttpSettings {
    if (maxConnections < 1
        || maxWaiting < 0
        || connectTimeoutMs < 1
        || idleTimeoutMs < 1
        || freshWithinMs < 0
        || maxHeaderBytes < 256
        || maxResponseBytes < 1
        || streamStallMs < 1
        || maxStreamMs < 1) {
      throw new IllegalArgumentException("HTTP upstream settings must be positive");
    }
  }
}
