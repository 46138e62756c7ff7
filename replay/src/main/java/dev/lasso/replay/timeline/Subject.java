package dev.lasso.replay.timeline;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Whom an entry is about; what is null does not apply or is not known.
 *
 * @param region as seen from there
 * @param profile whose
 * @param chain the chain
 * @param instance the upstream
 * @param transport how it is reached
 * @param process the process of the platform
 */
public record Subject(
    @Nullable Region region,
    @Nullable ProfileSlug profile,
    @Nullable ChainId chain,
    @Nullable InstanceId instance,
    @Nullable Transport transport,
    @Nullable String process) {
  static final Subject NOBODY = new Subject(null, null, null, null, null, null);

  static Subject chain(@Nullable Region region, ChainId chain) {
    return new Subject(region, null, chain, null, null, null);
  }

  static Subject endpoint(
      Region region, ChainId chain, InstanceId instance, @Nullable Transport transport) {
    return new Subject(region, null, chain, instance, transport, null);
  }
}
