package dev.lasso.blocksync;

import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsSettings;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.ChainId;
import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.ProcessMetrics;
import dev.lasso.runtime.Readiness;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.ServiceGroup;
import dev.lasso.runtime.SteadyClock;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.testkit.TestBroker;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** One process of the role, as the launcher would put it together, and one that wants headers. */
final class RoleRig implements AutoCloseable {
  private final SteadyClock clock = SteadyClock.system();
  private final ProcessContext context;
  private final WsConnections webSockets;
  private final ServiceGroup services;
  private final PresencePublisher subscriber;
  private volatile Set<ChainId> wantedHeads = Set.of();

  RoleRig(TestBroker broker, TopicCatalogue topics, Path dataDirectory) {
    ProcessId id = ProcessId.starting(BlockSyncService.ROLE, "local", InstantSource.system());
    context =
        new ProcessContext(
            id,
            KafkaConnection.of(broker.bootstrapServers(), topics.settings().prefix(), id),
            topics,
            SettingCatalogue.of(BlockSyncService.SETTINGS).read(Map.of()),
            name -> null,
            Vertx.vertx(),
            ProcessMetrics.of(id),
            new Readiness(),
            (record, reader, why) -> {},
            clock,
            dataDirectory);
    webSockets = new WsConnections(context.vertx(), WsSettings.DEFAULT, new SplittableRandom());
    RoutingView view = RoutingView.of(context, BlockSyncService.SOURCES);
    PresenceView presence = new PresenceView(context);
    subscriber =
        new PresencePublisher(
            context,
            "subscription",
            () -> new PresencePublisher.Work(null, List.of(), Set.of(), wantedHeads, Map.of()));
    List<Service> all = new ArrayList<>(List.of(view, presence, subscriber));
    all.addAll(BlockSyncService.assemble(context, view, presence, webSockets));
    services = ServiceGroup.of(all);
  }

  RoleRig start() {
    services.start();
    return this;
  }

  ProcessContext context() {
    return context;
  }

  /** Sets the process's time ahead, or back below 0. */
  void shiftTime(Duration by) {
    clock.shift(by.toMillis());
  }

  String process() {
    return context.id().process();
  }

  /** Announces that somebody needs the headers of a chain. */
  void wantHeads(ChainId chain) {
    wantedHeads = Set.of(chain);
    subscriber.announce();
  }

  @Override
  public void close() {
    services.stop();
    webSockets.close();
    context.vertx().close().await();
    context.metrics().close();
  }
}
