package dev.lasso.routing.select;

/**
 * The latency and success evidence that strategies read: one row for a channel and a method.
 *
 * @param latencyMs median latency of the successes
 * @param p95Ms an upper latency, which hedging waits for
 * @param successRate 0 to 1
 * @param calls attempts behind it
 * @param confidence 0 to 1
 * @param updatedAtMs epoch milliseconds of the newest observation in it
 */
public record Evidence(
    double latencyMs,
    double p95Ms,
    double successRate,
    long calls,
    double confidence,
    long updatedAtMs) {}
