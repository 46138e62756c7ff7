package dev.lasso.subscription;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsSettings;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.ProcessMetrics;
import dev.lasso.runtime.Readiness;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.ServiceGroup;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One process of the role, as the launcher would put it together. */
final class SubscriptionRig implements AutoCloseable {
  private static final int LOOPS = 2;

  private static final List<SettingGroup> SETTINGS =
      Stream.concat(
              SubscriptionService.SETTINGS.stream(),
              Stream.of(SettingGroup.of("Process", "", List.of(ProcessContext.ADVERTISED_HOST))))
          .toList();

  final ProcessContext context;
  final SubscriptionService service;
  private final RoutingView view;
  private final PresenceView presence;
  private final WsConnections webSockets;
  private final ServiceGroup services;
  private boolean closed;

  /**
   * @param settings environment variables
   */
  SubscriptionRig(
      String bootstrap, TopicCatalogue topics, Path directory, Map<String, String> settings) {
    ProcessId id = ProcessId.starting("subscription", "local", InstantSource.system());
    context =
        new ProcessContext(
            id,
            KafkaConnection.of(bootstrap, topics.settings().prefix(), id),
            topics,
            SettingCatalogue.of(SETTINGS).read(settings),
            name -> null,
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(LOOPS)),
            ProcessMetrics.of(id),
            new Readiness(),
            (record, reader, why) -> {},
            InstantSource.system(),
            directory);
    webSockets = new WsConnections(context.vertx(), WsSettings.DEFAULT, new SplittableRandom(1));
    view = RoutingView.of(context, RoutingView.FULL);
    presence = new PresenceView(context);
    service =
        SubscriptionService.assemble(
            context,
            view,
            presence,
            new LocalEndpoints(CircuitPolicy.DEFAULT, RateLimitPolicy.DEFAULT, _ -> false),
            webSockets,
            new Unobserved(),
            SelectionPolicy.DEFAULT,
            0,
            LOOPS);
    services = ServiceGroup.of(List.<Service>of(view, presence, service));
  }

  SubscriptionRig start() {
    services.start();
    view.onChange(
        snapshot ->
            webSockets.keep(
                snapshot.profiles().stream()
                    .flatMap(profile -> profile.chains().stream())
                    .map(ActiveChain::endpoints)
                    .flatMap(endpoints -> endpoints.values().stream())
                    .toList()));
    Await.await().until(() -> !view.snapshot().profiles().isEmpty());
    return this;
  }

  /** Instances with a WebSocket that this process keeps, of those that its profiles name. */
  Set<InstanceId> connected() {
    return view.snapshot().profiles().stream()
        .flatMap(profile -> profile.chains().stream())
        .flatMap(chain -> chain.endpoints().values().stream())
        .map(ProviderEndpoint::instance)
        .filter(instance -> webSockets.of(instance) != null)
        .collect(Collectors.toSet());
  }

  /** Whether this process keeps a WebSocket to an instance. */
  boolean keeps(InstanceId instance) {
    return webSockets.of(instance) != null;
  }

  int port() {
    return service.port();
  }

  /** Whether it knows that somebody in the fleet wants a chain's logs. */
  boolean knowsThatLogsAreWanted(ChainId chain) {
    return presence.alive(context.clock().millis()).stream()
        .anyMatch(process -> process.wantedLogs().contains(chain));
  }

  /** Whether it knows how high a chain is. */
  boolean knowsTheHeight(ChainId chain) {
    return view.snapshot().profiles().stream()
        .map(profile -> profile.chain(chain.toString()))
        .anyMatch(active -> active != null && active.routes().consensusHeight() != null);
  }

  /** The chains of {@code upstream-heads} that it owns. */
  List<String> assignment() {
    return service.assignment();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      services.stop();
      webSockets.close();
      context.vertx().close().await();
      context.metrics().close();
    }
  }

  private static final class Unobserved implements EngineObserver {
    @Override
    public void attempted(Attempt attempt) {}

    @Override
    public void decided(boolean failed, Supplier<RoutingDecision> decision) {}
  }
}
