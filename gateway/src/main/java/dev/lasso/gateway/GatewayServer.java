package dev.lasso.gateway;

import dev.lasso.engine.edge.CallerSettings;
import dev.lasso.engine.edge.Callers;
import dev.lasso.engine.edge.ClientLimits;
import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.engine.pipeline.RpcEngine;
import dev.lasso.engine.pipeline.SharedReads;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.settings.AttemptSettings;
import dev.lasso.engine.settings.UpstreamHttpSettings;
import dev.lasso.engine.upstream.HttpSettings;
import dev.lasso.engine.upstream.Upstreams;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.SnapshotSource;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.runtime.AdminRoutes;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's HTTP side on one event loop: its own server socket share, connections to providers
 * and engine. Deployed once for each event loop.
 */
final class GatewayServer extends VerticleBase {
  private final Parts parts;
  private final SocketAddress address;
  private @Nullable HttpServer server;
  private @Nullable Upstreams upstreams;

  /** What all event loops share. */
  record Parts(
      ProcessContext context,
      SnapshotSource snapshots,
      GatewaySettings settings,
      HttpSettings upstreamSettings,
      EnginePolicy enginePolicy,
      SelectionPolicy selectionPolicy,
      LocalEndpoints local,
      SharedReads reads,
      WsConnections webSockets,
      EngineObserver observer,
      SharedLimits limits,
      GatewayMeters meters,
      AdminRoutes admin,
      ApiRoutes api,
      WebSocketPass webSocketPass,
      @Nullable FilterPass filterPass,
      Farewell farewell) {
    /** The parts around those that other roles of the process share. */
    static Parts of(
        ProcessContext context,
        SnapshotSource snapshots,
        SelectionPolicy selectionPolicy,
        LocalEndpoints local,
        WsConnections webSockets,
        EngineObserver observer,
        TopologyPage topology,
        WebSocketPass webSocketPass,
        @Nullable FilterPass filterPass) {
      GatewaySettings settings = GatewaySettings.from(context.settings());
      CallerSettings callers = CallerSettings.from(context.settings());
      EnginePolicy enginePolicy = AttemptSettings.from(context.settings());
      ByteBudget requestBytes = new ByteBudget(settings.maxInFlightBytes());
      return new Parts(
          context,
          snapshots,
          settings,
          UpstreamHttpSettings.from(context.settings()),
          enginePolicy,
          selectionPolicy,
          local,
          SharedReads.of(enginePolicy),
          webSockets,
          observer,
          new SharedLimits(
              new Callers(callers.trustedProxies()),
              new ClientLimits(callers.maxClients()),
              requestBytes),
          new GatewayMeters(context.metrics().registry(), requestBytes),
          new AdminRoutes(context.readiness(), context.metrics()),
          new ApiRoutes(
              context,
              snapshots,
              new ProviderPages(local, selectionPolicy, context.clock()),
              topology),
          webSocketPass,
          filterPass,
          new Farewell());
    }
  }

  GatewayServer(Parts parts, SocketAddress address) {
    this.parts = parts;
    this.address = address;
  }

  @Override
  public Future<?> start() {
    Upstreams own = new Upstreams(vertx, parts.upstreamSettings(), parts.webSockets());
    upstreams = own;
    RpcEngine engine =
        new RpcEngine(
            parts.context(),
            own,
            parts.local(),
            parts.reads(),
            parts.observer(),
            parts.enginePolicy(),
            parts.selectionPolicy(),
            parts.filterPass());
    RpcRoutes rpc =
        new RpcRoutes(
            vertx, engine, parts.snapshots(), parts.settings(), parts.limits(), parts.meters());
    HttpServer created = vertx.createHttpServer(options());
    server = created;
    return created
        .connectionHandler(parts.farewell()::attend)
        .requestHandler(request -> handle(request, rpc))
        .listen(address);
  }

  private HttpServerOptions options() {
    return new HttpServerOptions()
        .setDecompressionSupported(true)
        .setCompressionSupported(true)
        .setCompressionContentSizeThreshold(parts.settings().compressFromBytes())
        .setMaxInitialLineLength(8_192)
        .setMaxHeaderSize(32_768)
        .setTcpNoDelay(true)
        .setReuseAddress(true)
        .setAlpnVersions(List.of(HttpVersion.HTTP_1_1))
        // an upgrade would bind a caller to this gateway, past every balancer
        .setHttp2ClearTextEnabled(false)
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout((int) parts.settings().idle().toMillis());
  }

  private void handle(HttpServerRequest request, RpcRoutes rpc) {
    try {
      route(request, rpc);
    } catch (RuntimeException e) {
      HttpAnswers.failed(request, e);
    }
  }

  private void route(HttpServerRequest request, RpcRoutes rpc) {
    Cors.allow(request);
    if (parts.farewell().begun()) {
      request.response().putHeader("Connection", "close");
    }
    if (Cors.preflight(request)
        || rpc.handle(request)
        || parts.webSocketPass().handle(request, parts.limits().callers())
        || parts.api().handle(request)
        || parts.admin().handle(request)) {
      return;
    }
    HttpAnswers.json(
        request,
        404,
        new JsonObject()
            .put("error", "no such path: " + request.method() + " " + request.path())
            .put(
                "paths",
                List.of(
                    "POST /rpc/:chain",
                    "POST /rpc/:strategy/:chain",
                    "POST /rpc/provider/:provider/:chain",
                    "POST /rpc/profile/:profile/…",
                    "WebSocket /ws/rpc/…",
                    "GET /api/health, /api/chains, /api/providers/:chain, /api/metrics/:chain",
                    "GET /health/live, /health/ready, /metrics")));
  }

  /** The port that the server listens on. */
  int actualPort() {
    HttpServer running = server;
    return running == null ? 0 : running.actualPort();
  }

  /** Lets go of connections to any other instances; what is in flight there goes on. Any thread. */
  void keep(Set<InstanceId> instances) {
    // a verticle's context is its event loop, which owns the connections
    context.runOnContext(
        _ -> {
          if (upstreams != null) {
            upstreams.keep(instances);
          }
        });
  }

  @Override
  public Future<?> stop() {
    HttpServer running = server;
    Future<Void> closed =
        running == null
            ? Future.succeededFuture()
            : running.shutdown(parts.settings().drain().toMillis(), TimeUnit.MILLISECONDS);
    return closed.onComplete(
        _ -> {
          if (upstreams != null) {
            upstreams.close();
          }
        });
  }
}
