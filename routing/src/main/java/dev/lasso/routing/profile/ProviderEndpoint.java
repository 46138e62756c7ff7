package dev.lasso.routing.profile;

import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A provider with its secrets resolved, ready to connect to. Lives in the memory of the process
 * that resolved it; {@link #toString} shows no secret.
 *
 * @param provider the provider as its profile names it
 * @param instance the upstream as the fleet knows it
 * @param http where HTTP requests go, or null for no HTTP
 * @param ws where the WebSocket is, or null for none
 * @param headers sent with every request and upgrade, credentials included; names in lower case
 */
public record ProviderEndpoint(
    ProviderId provider,
    InstanceId instance,
    @Nullable UpstreamUrl http,
    @Nullable UpstreamUrl ws,
    Map<String, String> headers) {
  public ProviderEndpoint {
    headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    if (http == null && ws == null) {
      throw new IllegalArgumentException("endpoint must have an HTTP or a WebSocket URL");
    }
  }

  /** The channels that strategies rank: HTTP before WebSocket. */
  public List<Channel> channels() {
    List<Channel> channels = new ArrayList<>(2);
    if (http != null) {
      channels.add(new Channel(provider, instance, Transport.HTTP));
    }
    if (ws != null) {
      channels.add(new Channel(provider, instance, Transport.WS));
    }
    return List.copyOf(channels);
  }

  /** Where a transport is reached, or null when the provider does not have it. */
  public @Nullable UpstreamUrl url(Transport transport) {
    return switch (transport) {
      case HTTP -> http;
      case WS -> ws;
    };
  }

  @Override
  public String toString() {
    return "ProviderEndpoint[provider=" + provider + ", instance=" + instance + "]";
  }
}
