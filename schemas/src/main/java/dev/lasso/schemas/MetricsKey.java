package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProviderMetrics;

/**
 * Key {@code region|profile|chain|instance|method|transport}: what latency and success are measured
 * for.
 *
 * @param region whose measurement
 * @param profile whose requests
 * @param chain the chain asked
 * @param instance the upstream measured
 * @param method the JSON-RPC method
 * @param transport how it was reached
 */
public record MetricsKey(
    Region region,
    ProfileSlug profile,
    ChainId chain,
    InstanceId instance,
    String method,
    Transport transport) {
  public static MetricsKey of(LatencyDigest digest) {
    return new MetricsKey(
        digest.region(),
        digest.profile(),
        digest.chain(),
        digest.channel().instance(),
        digest.method(),
        digest.channel().transport());
  }

  public static MetricsKey of(ProviderMetrics metrics) {
    return new MetricsKey(
        metrics.region(),
        metrics.profile(),
        metrics.chain(),
        metrics.channel().instance(),
        metrics.method(),
        metrics.channel().transport());
  }

  /** The key of the same channel for another method. */
  public MetricsKey withMethod(String other) {
    return new MetricsKey(region, profile, chain, instance, other, transport);
  }
}
