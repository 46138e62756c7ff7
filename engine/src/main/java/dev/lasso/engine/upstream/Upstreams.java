package dev.lasso.engine.upstream;

import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.UpstreamUrl;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The providers as one event loop reaches them: its own HTTP connections, made when first needed,
 * and the process's WebSockets. Made and used on that event loop only. Equal upstreams of several
 * profiles have one instance id and share connections.
 */
public final class Upstreams implements UpstreamSource {
  private final Vertx vertx;
  private final HttpClientAgent client;
  private final HttpSettings settings;
  private final WsConnections webSockets;
  private final Map<InstanceId, HttpUpstream> http = new HashMap<>();

  public Upstreams(Vertx vertx, HttpSettings settings, WsConnections webSockets) {
    this.vertx = vertx;
    this.settings = settings;
    this.webSockets = webSockets;
    this.client = HttpClients.create(vertx, settings);
  }

  @Override
  public @Nullable Upstream of(ProviderEndpoint endpoint, Transport transport) {
    return switch (transport) {
      case HTTP -> http(endpoint);
      case WS -> webSockets.connect(endpoint);
    };
  }

  private @Nullable HttpUpstream http(ProviderEndpoint endpoint) {
    HttpUpstream known = http.get(endpoint.instance());
    UpstreamUrl url = endpoint.http();
    if (known != null || url == null) {
      return known;
    }
    HttpUpstream made = new HttpUpstream(vertx, client, url, endpoint.headers(), settings);
    http.put(endpoint.instance(), made);
    return made;
  }

  /** Lets go of the connections of instances that no profile names any more. */
  public void keep(Set<InstanceId> instances) {
    http.entrySet()
        .removeIf(
            entry -> {
              if (instances.contains(entry.getKey())) {
                return false;
              }
              entry.getValue().close();
              return true;
            });
  }

  /** Closes every HTTP connection of this event loop, at once. */
  public void close() {
    keep(Set.of());
    client.close();
  }
}
