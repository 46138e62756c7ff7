package dev.lasso.health;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsSettings;
import dev.lasso.engine.view.RoutingView;
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
import java.util.SplittableRandom;

/** One process of the role, as the launcher would put it together. */
final class RoleRig implements AutoCloseable {
  private final SteadyClock clock = SteadyClock.system();
  private final ProcessContext context;
  private final WsConnections webSockets;
  private final ServiceGroup services;

  RoleRig(TestBroker broker, TopicCatalogue topics, Path dataDirectory) {
    ProcessId id = ProcessId.starting(HealthService.ROLE, "local", InstantSource.system());
    context =
        new ProcessContext(
            id,
            KafkaConnection.of(broker.bootstrapServers(), broker.topicPrefix(), id),
            topics,
            SettingCatalogue.of(HealthService.SETTINGS)
                .read(Map.of("LASSO_PROBE_TICK", "20ms", "LASSO_PROBE_TIMEOUT", "1s")),
            name -> null,
            Vertx.vertx(),
            ProcessMetrics.of(id),
            new Readiness(),
            (record, reader, why) -> {},
            clock,
            dataDirectory);
    webSockets = new WsConnections(context.vertx(), WsSettings.DEFAULT, new SplittableRandom());
    RoutingView view = RoutingView.of(context, HealthService.SOURCES);
    List<Service> all = new ArrayList<>(List.of(view));
    all.addAll(HealthService.assemble(context, view, webSockets));
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

  @Override
  public void close() {
    services.stop();
    webSockets.close();
    context.vertx().close().await();
    context.metrics().close();
  }
}
