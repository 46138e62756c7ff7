package dev.lasso.launcher;

import dev.lasso.engine.local.LocalEndpoints;
import dev.lasso.engine.pipeline.EngineObserver;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.record.KafkaSink;
import dev.lasso.engine.record.Recorder;
import dev.lasso.engine.settings.CircuitSettings;
import dev.lasso.engine.settings.RateLimitSettings;
import dev.lasso.engine.settings.RecorderSettings;
import dev.lasso.engine.settings.SelectionSettings;
import dev.lasso.engine.settings.UpstreamWsSettings;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsUpstream;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.ProducerLimits;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What every request path of a process shares, and the services behind it. */
final class EngineRole {
  private EngineRole() {}

  /** Makes the recorder; nothing runs yet. */
  static Recorder recorder(ProcessContext context) {
    return new Recorder(
        context.region(),
        context.id().process(),
        RecorderSettings.from(context.settings()),
        new KafkaSink(
            context.topics(),
            context
                .kafka()
                .producer(
                    "recorder",
                    ProducerLimits.observations(),
                    new ByteArraySerializer(),
                    new ByteArraySerializer()),
            context.metrics().registry()),
        context.metrics().registry(),
        context.clock());
  }

  /** Makes the shared parts; nothing runs yet. */
  static ProcessParts.EngineParts parts(ProcessContext context, Recorder recorder) {
    WsConnections webSockets =
        new WsConnections(
            context.vertx(), UpstreamWsSettings.from(context.settings()), new SplittableRandom());
    return new ProcessParts.EngineParts(
        new LocalEndpoints(
            CircuitSettings.from(context.settings()),
            RateLimitSettings.from(context.settings()),
            endpoint -> {
              WsUpstream upstream = webSockets.of(endpoint.instance());
              return upstream != null && upstream.connected();
            }),
        webSockets,
        new Recording(recorder),
        SelectionSettings.from(context.settings()));
  }

  /** The services that keep the shared parts going. */
  static List<Service> services(
      ProcessContext context,
      ProcessParts.EngineParts engine,
      RoutingView view,
      Recorder recorder) {
    view.onHealth(health -> engine.local().heard(health, context.clock().millis()));
    return List.of(
        Service.of(
            "upstream connections",
            () -> {
              view.onChange(snapshot -> engine.webSockets().keep(endpoints(snapshot)));
              engine.webSockets().keep(endpoints(view.snapshot()));
            },
            engine.webSockets()::close),
        Service.of("recorder", recorder::start, recorder::close));
  }

  private static List<ProviderEndpoint> endpoints(RoutingSnapshot snapshot) {
    return snapshot.profiles().stream()
        .flatMap(profile -> profile.chains().stream())
        .map(ActiveChain::endpoints)
        .flatMap(endpoints -> endpoints.values().stream())
        .toList();
  }

  /** Hands observations to the recorder. */
  private record Recording(Recorder recorder) implements EngineObserver {
    @Override
    public void attempted(Attempt attempt) {
      recorder.attempted(attempt);
    }

    @Override
    public void decided(boolean failed, Supplier<RoutingDecision> decision) {
      if (recorder.wantsDecision(failed)) {
        recorder.decided(decision);
      }
    }
  }
}
