package dev.lasso.routing.event;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;

/**
 * Latency and success evidence of one channel for one method over a sliding window. Topic {@code
 * provider-metrics}.
 *
 * @param region whose measurement
 * @param profile whose requests
 * @param chain the chain asked
 * @param channel the channel measured
 * @param method the JSON-RPC method
 * @param updatedAtMs end of the newest interval in it; a row is fresh for 10 minutes after
 * @param p50Ms median latency of the successes; without one in the window this and the other
 *     latencies are those of the row before
 * @param p90Ms 90th percentile
 * @param p99Ms 99th percentile
 * @param meanMs mean latency
 * @param successRate successes ÷ (successes + penalised failures), 0 to 1
 * @param calls attempts in the window
 * @param confidence how much the row may be trusted, 0 to 1, growing with calls
 */
public record ProviderMetrics(
    Region region,
    ProfileSlug profile,
    ChainId chain,
    Channel channel,
    String method,
    long updatedAtMs,
    double p50Ms,
    double p90Ms,
    double p99Ms,
    double meanMs,
    double successRate,
    long calls,
    double confidence) {}
