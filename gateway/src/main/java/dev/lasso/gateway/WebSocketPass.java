package dev.lasso.gateway;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.routing.event.Presence;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.ProxyOptions;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Passes WebSocket connections on to a subscription-service of this region, so that one public port
 * is enough. A large deployment points its load balancer straight there.
 */
final class WebSocketPass {
  private static final String PREFIX = "/ws/";
  private static final String ROLE = "subscription";

  private final ProcessContext context;
  private final PresenceView presence;
  private final HttpProxy proxy;

  WebSocketPass(ProcessContext context, PresenceView presence, HttpClient client) {
    this.context = context;
    this.presence = presence;
    this.proxy =
        HttpProxy.reverseProxy(new ProxyOptions().setSupportWebSocket(true), client)
            .origin(io.vertx.httpproxy.OriginRequestProvider.selector(_ -> pick()));
  }

  /** Passes the request on if it is for {@code /ws/}; false when it is for somebody else. */
  boolean handle(HttpServerRequest request) {
    String path = request.path();
    if (path == null || !path.startsWith(PREFIX)) {
      return false;
    }
    if (!"websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))) {
      HttpAnswers.json(
          request,
          426,
          new JsonObject().put("error", "a WebSocket connection is expected at " + PREFIX));
    } else if (addresses().isEmpty()) {
      HttpAnswers.json(
          request,
          503,
          new JsonObject().put("error", "no subscription-service is there at the moment"));
    } else {
      proxy.handle(request);
    }
    return true;
  }

  private List<String> addresses() {
    return presence.serving(ROLE, context.clock().millis()).stream()
        .map(Presence::address)
        .filter(address -> address != null && !address.isBlank())
        .toList();
  }

  private Future<SocketAddress> pick() {
    List<String> addresses = addresses();
    if (addresses.isEmpty()) {
      return Future.failedFuture("no subscription-service");
    }
    String address = addresses.get(ThreadLocalRandom.current().nextInt(addresses.size()));
    int colon = address.lastIndexOf(':');
    return Future.succeededFuture(
        SocketAddress.inetSocketAddress(
            Integer.parseInt(address, colon + 1, address.length(), 10),
            address.substring(0, colon)));
  }
}
