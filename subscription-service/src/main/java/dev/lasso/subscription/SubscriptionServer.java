package dev.lasso.subscription;

import dev.lasso.engine.edge.Callers;
import dev.lasso.engine.edge.ClientLimits;
import dev.lasso.engine.edge.ConnectionChannel;
import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.engine.pipeline.RpcEngine;
import dev.lasso.engine.pipeline.SharedReads;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.upstream.HttpSettings;
import dev.lasso.engine.upstream.Upstreams;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.runtime.AdminRoutes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.ServerWebSocketHandshake;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket edge on one event loop: its share of the sockets, its connections to providers and
 * its engine. Deployed once for each event loop.
 */
final class SubscriptionServer extends VerticleBase {
  private static final int CLOSE_WITHIN_SECONDS = 5;

  private final Parts parts;
  private final SocketAddress listensOn;
  private final Set<ClientSocket> sockets = new HashSet<>();
  private final Flushes flushes = new Flushes();
  private boolean stopping;
  private @Nullable HttpServer server;
  private @Nullable Upstreams upstreams;
  private @Nullable RpcEngine engine;
  private @Nullable FilterRoute filterRoute;
  private @Nullable LoopSubscriptions subscriptions;

  /** What all event loops share. */
  record Parts(
      ProcessContext context,
      RoutingView view,
      EdgeSettings settings,
      StreamSettings streamSettings,
      ClientMeters meters,
      AnswerBytes answerBytes,
      HttpSettings upstreamSettings,
      EnginePolicy enginePolicy,
      SharedReads reads,
      SelectionPolicy selectionPolicy,
      LocalEndpoints local,
      WsConnections webSockets,
      EngineObserver observer,
      AdminRoutes admin,
      ChainDemand demand,
      ChainReader reader,
      PendingTransactions pending,
      SyncWatch syncing,
      Filters filters,
      Callers callers,
      ClientLimits limits) {}

  SubscriptionServer(Parts parts, SocketAddress listensOn) {
    this.parts = parts;
    this.listensOn = listensOn;
  }

  @Override
  public Future<?> start() {
    Upstreams own = new Upstreams(vertx, parts.upstreamSettings(), parts.webSockets());
    upstreams = own;
    engine =
        new RpcEngine(
            parts.context(),
            own,
            parts.local(),
            parts.reads(),
            parts.observer(),
            parts.enginePolicy(),
            parts.selectionPolicy(),
            parts.filters());
    filterRoute = new FilterRoute(parts.view(), parts.filters(), parts.settings(), parts.callers());
    subscriptions =
        new LoopSubscriptions(
            context,
            parts.demand(),
            parts.reader(),
            parts.pending(),
            parts.syncing(),
            parts.streamSettings(),
            flushes,
            parts.meters());
    HttpServer created = vertx.createHttpServer(options());
    server = created;
    return created
        .connectionHandler(this::flushTogether)
        .webSocketHandshakeHandler(this::handshake)
        .webSocketHandler(this::opened)
        .requestHandler(this::plain)
        .listen(listensOn);
  }

  /** What one event of a chain tells a client goes to the kernel in one piece. */
  private void flushTogether(HttpConnection connection) {
    ConnectionChannel.of(connection).pipeline().addFirst(flushes.gate());
  }

  private HttpServerOptions options() {
    return new HttpServerOptions()
        .setTcpNoDelay(true)
        .setReuseAddress(true)
        .setHttp2ClearTextEnabled(false)
        .setMaxInitialLineLength(8_192)
        .setMaxHeaderSize(32_768)
        .setMaxWebSocketFrameSize(parts.settings().maxMessageBytes())
        .setMaxWebSocketMessageSize(parts.settings().maxMessageBytes())
        .setWebSocketClosingTimeout(CLOSE_WITHIN_SECONDS)
        .setRegisterWebSocketWriteHandlers(false)
        // a compressor for each client costs hundreds of kilobytes and codes every event anew
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false);
  }

  private SocketAddressing.Asked asked(
      @Nullable String path, @Nullable String query, io.vertx.core.MultiMap headers) {
    return SocketAddressing.of(parts.view(), path, query, headers);
  }

  private void handshake(ServerWebSocketHandshake handshake) {
    if (stopping || parts.meters().connections() >= parts.settings().maxConnections()) {
      handshake.reject(503);
      return;
    }
    switch (asked(handshake.path(), handshake.query(), handshake.headers())) {
      case SocketAddressing.Asked.Refused(int status, String _) -> handshake.reject(status);
      case SocketAddressing.Asked.Known _ -> handshake.accept();
    }
  }

  private void opened(ServerWebSocket socket) {
    RpcEngine own = engine;
    LoopSubscriptions streams = subscriptions;
    switch (asked(socket.path(), socket.query(), socket.headers())) {
      case SocketAddressing.Asked.Refused(int _, String reason) -> {
        parts.meters().closed(Closing.NOT_SERVED);
        var _ = socket.close(Closing.NOT_SERVED.code(), reason);
      }
      case SocketAddressing.Asked.Known(SocketAddressing addressing) -> {
        if (own != null && streams != null) {
          ClientSocket client =
              new ClientSocket(
                  vertx,
                  socket,
                  addressing,
                  parts.callers().of(peer(socket), socket.headers()::get),
                  parts,
                  own,
                  streams);
          sockets.add(client);
          parts.meters().connections(1);
          client.open(this::gone);
        }
      }
    }
  }

  private void gone(ClientSocket client) {
    sockets.remove(client);
    parts.meters().connections(-1);
  }

  private static @Nullable String peer(ServerWebSocket socket) {
    SocketAddress address = socket.remoteAddress();
    return address == null ? null : address.hostAddress();
  }

  private void plain(HttpServerRequest request) {
    FilterRoute filters = filterRoute;
    if (parts.admin().handle(request) || (filters != null && filters.handle(request))) {
      return;
    }
    boolean webSocketPath = request.path() != null && request.path().startsWith("/ws/");
    request
        .response()
        .setStatusCode(webSocketPath ? 426 : 404)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(
            new JsonObject()
                .put(
                    "error",
                    webSocketPath
                        ? "a WebSocket connection is expected here"
                        : "no such path: " + request.path())
                .put("paths", List.of("WebSocket /ws/rpc/…", "GET /health/live, /health/ready"))
                .toBuffer());
  }

  /** The subscriptions of its sockets; null before the start. */
  @Nullable LoopSubscriptions subscriptions() {
    return subscriptions;
  }

  /** The port that the server listens on. */
  int actualPort() {
    HttpServer running = server;
    return running == null ? 0 : running.actualPort();
  }

  /** Lets go of connections to instances that no profile names any more. Any thread. */
  void changed(RoutingSnapshot snapshot) {
    context.runOnContext(
        _ -> {
          if (upstreams != null) {
            upstreams.keep(instances(snapshot));
          }
        });
  }

  private static Set<InstanceId> instances(RoutingSnapshot snapshot) {
    return snapshot.profiles().stream()
        .flatMap(profile -> profile.chains().stream())
        .map(ActiveChain::routes)
        .flatMap(routes -> routes.channels().stream())
        .map(row -> row.channel().instance())
        .collect(Collectors.toSet());
  }

  /** Running calls get the drain time, then every client is told that the process goes away. */
  @Override
  public Future<?> stop() {
    stopping = true;
    Promise<Void> drained = Promise.promise();
    Set<ClientSocket> busy = new HashSet<>(sockets);
    for (ClientSocket socket : List.copyOf(sockets)) {
      socket.drain(
          () -> {
            busy.remove(socket);
            if (busy.isEmpty()) {
              drained.tryComplete();
            }
          });
    }
    if (busy.isEmpty()) {
      drained.tryComplete();
    }
    vertx.setTimer(Math.max(1, parts.settings().drain().toMillis()), _ -> drained.tryComplete());
    return drained.future().compose(_ -> closeAll());
  }

  private Future<Void> closeAll() {
    for (ClientSocket socket : List.copyOf(sockets)) {
      socket.close(Closing.STOPPING, "the process stops: connect again");
    }
    HttpServer running = server;
    Future<Void> closed =
        running == null
            ? Future.succeededFuture()
            : running.shutdown(CLOSE_WITHIN_SECONDS * 200L, TimeUnit.MILLISECONDS);
    return closed.onComplete(
        _ -> {
          if (upstreams != null) {
            upstreams.close();
          }
        });
  }
}
