package dev.lasso.gateway;

import dev.lasso.engine.edge.CallerSettings;
import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.settings.EngineSettings;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.SnapshotSource;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.settings.SettingGroup;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The gateway role: HTTP servers on every event loop over one snapshot. */
public final class GatewayService implements Service {
  /** The role's settings. */
  public static final List<SettingGroup> SETTINGS =
      Stream.of(
              List.of(GatewaySettings.GROUP, CallerSettings.GROUP),
              EngineSettings.SERVING,
              EngineSettings.UPSTREAM,
              EngineSettings.FLEET)
          .flatMap(List::stream)
          .toList();

  private static final int CONNECTIONS_TO_SERVICE = 64;

  private final ProcessContext context;
  private final GatewayServers servers;
  private final int askedPort;
  private final int eventLoops;
  private volatile int port;
  private @Nullable PresencePublisher presence;

  private GatewayService(
      ProcessContext context, GatewayServers servers, int askedPort, int eventLoops) {
    this.context = context;
    this.servers = servers;
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
      SnapshotSource snapshots,
      PresenceView presence,
      LocalEndpoints local,
      WsConnections webSockets,
      EngineObserver observer,
      SelectionPolicy selectionPolicy,
      int port,
      int eventLoops) {
    HttpClient client =
        context
            .vertx()
            .createHttpClient(
                new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS_TO_SERVICE));
    SubscriptionServices subscriptions = new SubscriptionServices(context, presence);
    GatewayServer.Parts parts =
        GatewayServer.Parts.of(
            context,
            snapshots,
            selectionPolicy,
            local,
            webSockets,
            observer,
            new TopologyPage(context, presence),
            new WebSocketPass(context.vertx(), subscriptions::inAnyOrder),
            new FilterPass(subscriptions::inOrderFor, client));
    return new GatewayService(context, new GatewayServers(parts), port, eventLoops);
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
    port = servers.start(askedPort, eventLoops);
    PresencePublisher publisher =
        new PresencePublisher(
            context, "gateway", () -> PresencePublisher.Work.at(context.address(port)));
    publisher.start();
    presence = publisher;
  }

  @Override
  public void stop() throws Exception {
    if (presence != null) {
      presence.announceStopping();
    }
    servers.stop();
    if (presence != null) {
      presence.stop();
    }
  }
}
