package dev.lasso.engine.upstream;

import dev.lasso.routing.InstanceId;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.UpstreamUrl;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The WebSockets of one process: one for each instance that has one, spread over the event loops.
 * May be read from any thread; {@link #keep} is for one thread at a time.
 */
public final class WsConnections implements AutoCloseable {
  private final Vertx vertx;
  private final WebSocketClient client;
  private final WsSettings settings;
  private final RandomGenerator seeds;
  private final ConcurrentMap<InstanceId, WsUpstream> byInstance = new ConcurrentHashMap<>();

  /**
   * @param random spreads the waits of reconnections
   */
  public WsConnections(Vertx vertx, WsSettings settings, RandomGenerator random) {
    this.vertx = vertx;
    this.settings = settings;
    this.seeds = random;
    this.client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxConnections(Integer.MAX_VALUE)
                .setMaxFrameSize(settings.maxMessageBytes())
                .setMaxMessageSize(settings.maxMessageBytes())
                .setConnectTimeout(settings.connectTimeoutMs())
                .setTcpNoDelay(true)
                .setVerifyHost(true));
  }

  /** The connection of an instance, or null when it has none. */
  public @Nullable WsUpstream of(InstanceId instance) {
    return byInstance.get(instance);
  }

  /** Connects what is new among the endpoints and closes what is no longer one of them. */
  public void keep(Collection<ProviderEndpoint> endpoints) {
    Map<InstanceId, ProviderEndpoint> wanted = new HashMap<>();
    for (ProviderEndpoint endpoint : endpoints) {
      if (endpoint.ws() != null) {
        wanted.putIfAbsent(endpoint.instance(), endpoint);
      }
    }
    byInstance
        .entrySet()
        .removeIf(
            entry -> {
              if (wanted.containsKey(entry.getKey())) {
                return false;
              }
              entry.getValue().close();
              return true;
            });
    wanted.values().forEach(this::connect);
  }

  /**
   * The connection of an endpoint, made when it is missing; null when the endpoint has no ws_url.
   */
  public @Nullable WsUpstream connect(ProviderEndpoint endpoint) {
    UpstreamUrl url = endpoint.ws();
    if (url == null) {
      return null;
    }
    return byInstance.computeIfAbsent(endpoint.instance(), instance -> dial(endpoint, url));
  }

  private WsUpstream dial(ProviderEndpoint endpoint, UpstreamUrl url) {
    WsUpstream upstream =
        new WsUpstream(
            vertx,
            ((VertxInternal) vertx).createEventLoopContext(),
            client,
            endpoint.instance(),
            url,
            endpoint.headers(),
            settings,
            new SplittableRandom(seeds.nextLong()));
    upstream.start();
    return upstream;
  }

  @Override
  public void close() {
    keep(java.util.List.of());
  }
}
