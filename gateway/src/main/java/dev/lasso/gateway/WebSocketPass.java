package dev.lasso.gateway;

import dev.lasso.engine.edge.Callers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Passes WebSocket connections on to a subscription-service of this region, so that one public port
 * is enough; the next one is tried when one does not answer. Bytes go through as they are, and no
 * faster than the slower side reads. A large deployment points its load balancer straight there.
 * Each connection belongs to its event loop.
 */
final class WebSocketPass {
  private static final String PREFIX = "/ws/";
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final int CONNECT_WITHIN_MS = 1_000;
  private static final int ANSWER_WITHIN_MS = 3_000;

  /** Most connections to one subscription-service; each lives as long as its client's. */
  private static final int MAX_CONNECTIONS = 100_000;

  private final Vertx vertx;
  private final Supplier<List<SocketAddress>> services;
  private final HttpClient client;

  /**
   * @param services where subscription-services listen now, in the order to try them in
   */
  WebSocketPass(Vertx vertx, Supplier<List<SocketAddress>> services) {
    this.vertx = vertx;
    this.services = services;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions().setTcpNoDelay(true),
            new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS));
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
    if (!"websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))
        || !request.method().equals(HttpMethod.GET)) {
      HttpAnswers.json(
          request,
          426,
          new JsonObject().put("error", "a WebSocket connection is expected at " + PREFIX));
      return true;
    }
    SocketAddress peer = request.remoteAddress();
    request
        .headers()
        .set(
            "X-Forwarded-For",
            callers.address(peer == null ? null : peer.hostAddress(), request::getHeader));
    request.pause();
    dial(request, services.get().iterator());
    return true;
  }

  private void dial(HttpServerRequest request, Iterator<SocketAddress> next) {
    if (!next.hasNext()) {
      request.resume();
      HttpAnswers.json(
          request,
          503,
          new JsonObject().put("error", "no subscription-service is there at the moment"));
      return;
    }
    client
        .request(
            new RequestOptions()
                .setServer(next.next())
                .setConnectTimeout(CONNECT_WITHIN_MS)
                .setMethod(HttpMethod.GET)
                .setURI(request.uri()))
        .compose(opening -> open(request, opening))
        .onComplete(
            response -> answered(request, response, next),
            _ -> {
              if (!request.response().closed()) {
                dial(request, next);
              }
            });
  }

  /** Asks one service, until it answers, its time is over or the caller has gone. */
  private Future<HttpClientResponse> open(HttpServerRequest request, HttpClientRequest opening) {
    opening.headers().setAll(request.headers());
    opening.exceptionHandler(_ -> {});
    long timer = vertx.setTimer(ANSWER_WITHIN_MS, _ -> opening.reset());
    HttpServerResponse caller = request.response();
    if (caller.closed()) {
      opening.reset();
    } else {
      caller.closeHandler(_ -> opening.reset());
    }
    return opening
        .connect()
        .onComplete(
            _ -> {
              vertx.cancelTimer(timer);
              if (!caller.closed()) {
                caller.closeHandler(null);
              }
            });
  }

  private void answered(
      HttpServerRequest request, HttpClientResponse answer, Iterator<SocketAddress> next) {
    if (answer.statusCode() == SERVICE_UNAVAILABLE && next.hasNext()) {
      // it stops, or has all the clients it may have
      answer.body().onComplete(_ -> dial(request, next));
      return;
    }
    HttpServerResponse response = request.response();
    response.setStatusCode(answer.statusCode());
    response.headers().addAll(answer.headers());
    if (answer.statusCode() != SWITCHING_PROTOCOLS) {
      request.resume();
      response.headers().remove(HttpHeaders.TRANSFER_ENCODING);
      answer.body().onComplete(response::end, _ -> request.connection().close());
      return;
    }
    NetSocket service = answer.netSocket();
    service.pause();
    request
        .toNetSocket()
        .onComplete(
            caller -> {
              copy(caller, service);
              copy(service, caller);
              service.resume();
            },
            _ -> service.close());
    request.resume();
  }

  /** Until one side ends; that a connection ends, as each does some day, is no error. */
  private static void copy(NetSocket from, NetSocket to) {
    from.exceptionHandler(_ -> {});
    from.handler(
        bytes -> {
          var _ = to.write(bytes);
          if (to.writeQueueFull()) {
            from.pause();
            to.drainHandler(_ -> from.resume());
          }
        });
    from.closeHandler(_ -> to.close());
  }
}
