package dev.lasso.routing.select;

import dev.lasso.routing.Endpoint;

/**
 * The deciding process's own knowledge of endpoints, read while selecting. Implementations answer
 * from memory and never block.
 */
@FunctionalInterface
public interface LocalView {
  /** A process that knows nothing yet: every circuit closed, every WebSocket connected. */
  LocalView NONE = endpoint -> LocalEndpoint.IDLE;

  LocalEndpoint endpoint(Endpoint endpoint);
}
