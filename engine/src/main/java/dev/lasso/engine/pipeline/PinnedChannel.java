package dev.lasso.engine.pipeline;

import dev.lasso.routing.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The channel that the items of a batch start on, so that a batch reads one node's view. Set by the
 * first item that is routed. Owned by one event loop.
 */
final class PinnedChannel {
  private @Nullable Channel channel;

  /** The channel pinned, after pinning the given one if none was. */
  Channel pin(Channel first) {
    Channel pinned = channel;
    if (pinned == null) {
      pinned = first;
      channel = first;
    }
    return pinned;
  }
}
