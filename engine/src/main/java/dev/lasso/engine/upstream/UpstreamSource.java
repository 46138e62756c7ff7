package dev.lasso.engine.upstream;

import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.ProviderEndpoint;
import org.jspecify.annotations.Nullable;

/** Reaches providers from one event loop. */
@FunctionalInterface
public interface UpstreamSource {
  /** A provider over one transport, or null when it does not have it. */
  @Nullable Upstream of(ProviderEndpoint endpoint, Transport transport);
}
