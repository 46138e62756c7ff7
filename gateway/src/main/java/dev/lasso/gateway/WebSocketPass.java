package dev.lasso.gateway;

import dev.lasso.engine.edge.Callers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.ProxyOptions;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Passes WebSocket connections on to a subscription-service of this region, so that one public port
 * is enough. A large deployment points its load balancer straight there.
 */
final class WebSocketPass {
  private static final String PREFIX = "/ws/";

  /** Most connections to one subscription-service; each lives as long as its client's. */
  private static final int MAX_CONNECTIONS = 100_000;

  private final Supplier<List<String>> services;
  private final HttpProxy proxy;

  /**
   * @param services where subscription-services listen now, each {@code host:port}
   */
  WebSocketPass(Vertx vertx, Supplier<List<String>> services) {
    this.services = services;
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS));
    this.proxy =
        HttpProxy.reverseProxy(new ProxyOptions().setSupportWebSocket(true), client)
            .origin(proxied -> pick().compose(address -> open(proxied.client(), address)));
  }

  /**
   * Passes the request on if it is for {@code /ws/}; false when it is for somebody else.
   *
   * @param callers says who the client is; the other side believes a gateway
   */
  boolean handle(HttpServerRequest request, Callers callers) {
    String path = request.path();
    if (path == null || !path.startsWith(PREFIX)) {
      return false;
    }
    if (!"websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))) {
      HttpAnswers.json(
          request,
          426,
          new JsonObject().put("error", "a WebSocket connection is expected at " + PREFIX));
    } else if (services.get().isEmpty()) {
      HttpAnswers.json(
          request,
          503,
          new JsonObject().put("error", "no subscription-service is there at the moment"));
    } else {
      SocketAddress peer = request.remoteAddress();
      request
          .headers()
          .set(
              "X-Forwarded-For",
              callers.address(peer == null ? null : peer.hostAddress(), request::getHeader));
      proxy.handle(request);
    }
    return true;
  }

  /** That a connection ends, as each does some day, is no error of its opening request. */
  private static Future<HttpClientRequest> open(HttpClient client, SocketAddress address) {
    return client
        .request(new RequestOptions().setServer(address))
        .onSuccess(request -> request.exceptionHandler(_ -> {}));
  }

  private Future<SocketAddress> pick() {
    List<String> addresses = services.get();
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
