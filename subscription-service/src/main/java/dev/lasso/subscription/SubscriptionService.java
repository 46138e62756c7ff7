package dev.lasso.subscription;

import dev.lasso.engine.edge.CallerSettings;
import dev.lasso.engine.edge.Callers;
import dev.lasso.engine.edge.ClientLimits;
import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.engine.pipeline.SharedReads;
import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.settings.AttemptSettings;
import dev.lasso.engine.settings.EngineSettings;
import dev.lasso.engine.settings.UpstreamHttpSettings;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.runtime.AdminRoutes;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.SharedAddress;
import dev.lasso.runtime.settings.SettingGroup;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The subscription role: this process's share of the canonical chains, the streams that follow from
 * all of them, and WebSocket servers on every event loop.
 */
public final class SubscriptionService implements Service {
  /** The role's settings. */
  public static final List<SettingGroup> SETTINGS =
      Stream.of(
              List.of(
                  EdgeSettings.GROUP,
                  StreamSettings.GROUP,
                  FilterSettings.GROUP,
                  CallerSettings.GROUP),
              EngineSettings.SERVING,
              EngineSettings.UPSTREAM,
              EngineSettings.FLEET)
          .flatMap(List::stream)
          .toList();

  private final SubscriptionServer.Parts parts;
  private final ReaderLoop readerLoop;
  private final ChainBeginning beginning;
  private final CanonicalOwner owner;
  private final PresencePublisher presence;
  private final Filters filters;
  private final int askedPort;
  private final int eventLoops;
  private volatile int port;
  private @Nullable String deployment;
  private @Nullable ChainFeeds feeds;

  private SubscriptionService(
      ProcessContext context,
      RoutingView view,
      PresenceView presenceView,
      LocalEndpoints local,
      WsConnections webSockets,
      EngineObserver observer,
      SelectionPolicy selectionPolicy,
      int askedPort,
      int eventLoops) {
    this.askedPort = askedPort;
    this.eventLoops = eventLoops;
    StreamSettings streamSettings = StreamSettings.from(context.settings());
    this.readerLoop =
        new ReaderLoop(context, view, local, webSockets, observer, selectionPolicy, streamSettings);
    this.beginning = new ChainBeginning(context, readerLoop.reader());
    this.presence = new PresencePublisher(context, "subscription", this::work);
    this.owner =
        new CanonicalOwner(context, view, presenceView, readerLoop.reader(), streamSettings);
    ChainDemand demand = new ChainDemand(beginning::of, presence::announce);
    EdgeSettings settings = EdgeSettings.from(context.settings());
    CallerSettings callers = CallerSettings.from(context.settings());
    EnginePolicy enginePolicy = AttemptSettings.from(context.settings());
    PendingTransactions pending =
        new PendingTransactions(
            view, webSockets, settings.pendingProviders(), settings.pendingRemembered());
    this.filters =
        new Filters(
            context, FilterSettings.from(context.settings()), demand, readerLoop.reader(), pending);
    this.parts =
        new SubscriptionServer.Parts(
            context,
            view,
            settings,
            streamSettings,
            new ClientMeters(context.metrics().registry(), context.clock()),
            new AnswerBytes(settings.maxAnswerBytes()),
            UpstreamHttpSettings.from(context.settings()),
            enginePolicy,
            SharedReads.of(enginePolicy),
            selectionPolicy,
            local,
            webSockets,
            observer,
            new AdminRoutes(context.readiness(), context.metrics()),
            demand,
            readerLoop.reader(),
            pending,
            new SyncWatch(view),
            filters,
            new Callers(
                new TrustedGateways(
                    callers.trustedProxies().andThisMachine(),
                    () -> presenceView.alive(context.clock().millis()))),
            new ClientLimits(callers.maxClients()));
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
      PresenceView presence,
      LocalEndpoints local,
      WsConnections webSockets,
      EngineObserver observer,
      SelectionPolicy selectionPolicy,
      int port,
      int eventLoops) {
    return new SubscriptionService(
        context, view, presence, local, webSockets, observer, selectionPolicy, port, eventLoops);
  }

  /** The port listened on, once started. */
  public int port() {
    return port;
  }

  /** The shares of the canonical chains that this process owns, readable. */
  List<String> assignment() {
    return owner.assignment();
  }

  @Override
  public String name() {
    return "subscription";
  }

  @Override
  public void start() throws Exception {
    readerLoop.start();
    beginning.start();
    filters.start();
    deploy();
    presence.start();
    owner.start();
  }

  private PresencePublisher.Work work() {
    ChainDemand demand = parts.demand();
    return new PresencePublisher.Work(
        parts.context().address(port),
        owner.assignment(),
        demand.logs(),
        demand.heads(),
        owner.lag());
  }

  private void deploy() throws Exception {
    List<SubscriptionServer> servers = new CopyOnWriteArrayList<>();
    SocketAddress listenOn = SharedAddress.of(askedPort, parts.settings().host());
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
    List<LoopSubscriptions> loops = new ArrayList<>();
    for (SubscriptionServer server : servers) {
      parts.view().onChange(server::changed);
      LoopSubscriptions subscriptions = server.subscriptions();
      if (subscriptions != null) {
        loops.add(subscriptions);
      }
    }
    ChainFeeds following =
        new ChainFeeds(
            parts.context(),
            parts.reader(),
            parts.streamSettings(),
            parts.demand(),
            List.copyOf(loops),
            filters.tails());
    following.start();
    feeds = following;
  }

  @Override
  public void stop() throws Exception {
    presence.announceStopping();
    owner.stop();
    if (deployment != null) {
      await(
          parts.context().vertx().undeploy(deployment),
          parts.settings().drain().toMillis() + 2_000);
    }
    if (feeds != null) {
      feeds.stop();
    }
    filters.stop();
    beginning.stop();
    readerLoop.stop();
    presence.stop();
  }

  private static <T> T await(Future<T> future, long atMostMs) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(atMostMs, TimeUnit.MILLISECONDS);
  }
}
