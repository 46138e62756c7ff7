package dev.lasso.gateway;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.Coalescing;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.upstream.HttpSettings;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.runtime.AdminRoutes;
import dev.lasso.runtime.Service;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The gateway role: HTTP servers on every event loop over one snapshot. */
public final class GatewayService implements Service {
  private final GatewayServer.Parts parts;
  private final int askedPort;
  private final int eventLoops;
  private final List<String> deployments = new ArrayList<>();
  private volatile int port;
  private @Nullable PresencePublisher presence;

  private GatewayService(GatewayServer.Parts parts, int askedPort, int eventLoops) {
    this.parts = parts;
    this.askedPort = askedPort;
    this.eventLoops = eventLoops;
  }

  /**
   * Makes the role's parts; nothing runs yet.
   *
   * @param port to listen on; 0 takes a free one
   * @param eventLoops how many to use
   */
  public static GatewayService assemble(
      ProcessContext context,
      RoutingView view,
      PresenceView presence,
      LocalEndpoints local,
      WsConnections webSockets,
      EngineObserver observer,
      SelectionPolicy selectionPolicy,
      int port,
      int eventLoops) {
    GatewaySettings settings = GatewaySettings.from(context.settings());
    return new GatewayService(
        new GatewayServer.Parts(
            context,
            view,
            settings,
            HttpSettings.DEFAULT,
            EnginePolicy.from(context.settings()),
            selectionPolicy,
            local,
            new Coalescing(),
            webSockets,
            observer,
            new SharedLimits(new ClientLimits(), new ByteBudget(settings.maxInFlightBytes())),
            new AdminRoutes(context.readiness(), context.metrics()),
            new ApiRoutes(
                context, view, new ProviderPages(local, selectionPolicy, context.clock())),
            new WebSocketPass(context, presence, context.vertx().createHttpClient()),
            new AtomicBoolean()),
        port,
        eventLoops);
  }

  /** The port listened on, once started. */
  public int port() {
    return port;
  }

  @Override
  public String name() {
    return "gateway";
  }

  @Override
  public void start() throws Exception {
    SocketAddress address = address();
    port = deploy(address).actualPort();
    for (int i = 1; i < eventLoops; i++) {
      deploy(address);
    }
    PresencePublisher publisher =
        new PresencePublisher(
            parts.context(), "gateway", () -> PresencePublisher.Work.at("127.0.0.1:" + port));
    publisher.start();
    presence = publisher;
  }

  /**
   * What all servers listen on. Vert.x shares a free port among those that ask for it under one
   * number; servers that ask for port 0 get one each.
   */
  private SocketAddress address() {
    String host = parts.settings().host();
    return askedPort == 0
        ? SocketAddress.sharedRandomPort(1 + ThreadLocalRandom.current().nextInt(1_000_000), host)
        : SocketAddress.inetSocketAddress(askedPort, host);
  }

  private GatewayServer deploy(SocketAddress address) throws Exception {
    GatewayServer server = new GatewayServer(parts, address);
    deployments.add(
        await(
            parts
                .context()
                .vertx()
                .deployVerticle(
                    server, new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP)),
            10_000));
    parts
        .view()
        .onChange(snapshot -> parts.context().vertx().runOnContext(_ -> server.drain(snapshot)));
    return server;
  }

  @Override
  public void stop() throws Exception {
    parts.stopping().set(true);
    if (presence != null) {
      presence.announceStopping();
    }
    List<Future<Void>> stops = new ArrayList<>();
    for (String deployment : deployments) {
      stops.add(parts.context().vertx().undeploy(deployment));
    }
    await(Future.join(stops), parts.settings().drain().toMillis() + 1_000);
    if (presence != null) {
      presence.stop();
    }
  }

  private static <T> T await(Future<T> future, long atMostMs) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(atMostMs, TimeUnit.MILLISECONDS);
  }
}
