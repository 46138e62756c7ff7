package dev.lasso.subscription;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.upstream.HttpSettings;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.runtime.AdminRoutes;
import dev.lasso.runtime.Service;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The subscription role: WebSocket servers on every event loop. */
public final class SubscriptionService implements Service {
  private final SubscriptionServer.Parts parts;
  private final int askedPort;
  private final int eventLoops;
  private volatile int port;
  private @Nullable String deployment;
  private @Nullable PresencePublisher presence;

  private SubscriptionService(SubscriptionServer.Parts parts, int askedPort, int eventLoops) {
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
  public static SubscriptionService assemble(
      ProcessContext context,
      RoutingView view,
      LocalEndpoints local,
      WsConnections webSockets,
      EngineObserver observer,
      SelectionPolicy selectionPolicy,
      int port,
      int eventLoops) {
    return new SubscriptionService(
        new SubscriptionServer.Parts(
            context,
            view,
            EdgeSettings.from(context.settings()),
            HttpSettings.DEFAULT,
            EnginePolicy.from(context.settings()),
            selectionPolicy,
            local,
            webSockets,
            observer,
            new AdminRoutes(context.readiness(), context.metrics())),
        port,
        eventLoops);
  }

  /** The port listened on, once started. */
  public int port() {
    return port;
  }

  @Override
  public String name() {
    return "subscription";
  }

  @Override
  public void start() throws Exception {
    deploy();
    PresencePublisher publisher =
        new PresencePublisher(parts.context(), "subscription", this::work);
    publisher.start();
    presence = publisher;
  }

  private PresencePublisher.Work work() {
    return PresencePublisher.Work.at(parts.settings().advertisedHost() + ":" + port);
  }

  private void deploy() throws Exception {
    List<SubscriptionServer> servers = new CopyOnWriteArrayList<>();
    // a negative port is a free one that the servers of one deployment share
    int listenOn = askedPort == 0 ? -1 : askedPort;
    deployment =
        await(
            parts
                .context()
                .vertx()
                .deployVerticle(
                    () -> {
                      SubscriptionServer server = new SubscriptionServer(parts, listenOn);
                      servers.add(server);
                      return server;
                    },
                    new DeploymentOptions()
                        .setThreadingModel(ThreadingModel.EVENT_LOOP)
                        .setInstances(eventLoops)),
            10_000);
    port = servers.getFirst().actualPort();
    for (SubscriptionServer server : servers) {
      parts.view().onChange(server::changed);
    }
  }

  @Override
  public void stop() throws Exception {
    if (presence != null) {
      presence.announceStopping();
    }
    if (deployment != null) {
      await(
          parts.context().vertx().undeploy(deployment),
          parts.settings().drain().toMillis() + 2_000);
    }
    if (presence != null) {
      presence.stop();
    }
  }

  private static <T> T await(Future<T> future, long atMostMs) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(atMostMs, TimeUnit.MILLISECONDS);
  }
}
