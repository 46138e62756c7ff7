package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.ScanLimits;

/**
 * How providers are called over WebSocket. Times are milliseconds.
 *
 * @param connectTimeoutMs longest time to connect, TLS and upgrade included
 * @param firstBackoffMs wait before the first new attempt to connect; doubles while attempts fail
 * @param maxBackoffMs longest wait
 * @param stableMs a connection that lived this long starts the waits anew
 * @param pingMs time between pings; a connection silent for two of them is given up
 * @param maxMessageBytes largest message accepted
 * @param maxInFlight most calls waiting for their answers on one connection
 * @param scan how deep messages may nest
 */
public record WsSettings(
    int connectTimeoutMs,
    long firstBackoffMs,
    long maxBackoffMs,
    long stableMs,
    long pingMs,
    int maxMessageBytes,
    int maxInFlight,
    ScanLimits scan) {
  public static final WsSettings DEFAULT =
      new WsSettings(5_000, 500, 30_000, 30_000, 10_000, 16 << 20, 1_024, ScanLimits.DEFAULT);

  public WsSettings {
    if (connectTimeoutMs < 1
        || firstBackoffMs < 1
        || maxBackoffMs < firstBackoffMs
        || stableMs < 1
        || pingMs < 1
        || maxMessageBytes < 1024
        || maxInFlight < 1) {
      throw new IllegalArgumentException("WebSocket upstream settings must be positive");
    }
  }

  /** Wait before attempt number {@code failures} to connect, without jitter. */
  long backoffMs(int failures) {
    double grown = Math.scalb((double) firstBackoffMs, Math.min(Math.max(failures - 1, 0), 62));
    return (long) Math.min(grown, (double) maxBackoffMs);
  }
}
