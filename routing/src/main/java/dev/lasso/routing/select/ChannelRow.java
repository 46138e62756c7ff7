package dev.lasso.routing.select;

import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.Capabilities;
import org.jspecify.annotations.Nullable;

/**
 * A channel with everything the snapshot knows of it.
 *
 * @param channel the channel
 * @param endpoint its endpoint, made once
 * @param priority the provider's configured priority; lower is tried first
 * @param archival whether it keeps old state
 * @param capabilities what it is configured not to serve
 * @param fleet what the fleet knows of the endpoint
 * @param height the instance's last head, or null when not known
 */
public record ChannelRow(
    Channel channel,
    Endpoint endpoint,
    int priority,
    boolean archival,
    Capabilities capabilities,
    FleetState fleet,
    @Nullable Height height) {
  boolean ws() {
    return channel.transport() == Transport.WS;
  }

  /** The same channel with newer knowledge. */
  public ChannelRow with(FleetState newFleet, @Nullable Height newHeight) {
    return new ChannelRow(channel, endpoint, priority, archival, capabilities, newFleet, newHeight);
  }
}
