package dev.lasso.health;

import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.process.RequiredTopics;
import dev.lasso.engine.record.Outbox;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.health.HealthPolicy;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.StreamsRunner;
import dev.lasso.runtime.kafka.StreamsSpec;
import dev.lasso.runtime.kafka.TopicCheck;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.Settings;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicName;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The health role: probes this process's share of the endpoints and folds what everyone reports
 * into instance-health. Processes of the role in one region share the work by partition.
 */
public final class HealthService {
  /** The role's word. */
  public static final String ROLE = "health";

  /** What the routing view must fold for this role. */
  public static final Set<TopicName> SOURCES = Set.of(TopicName.PROFILES);

  /** The role's settings. */
  public static final List<Setting<?>> SETTINGS = HealthSettings.ALL;

  private HealthService() {}

  /**
   * Makes the role's parts, in start order; nothing runs yet.
   *
   * @param context the process
   * @param view its routing view, with {@link #SOURCES} at least
   * @param webSockets its connections to providers
   */
  public static List<Service> assemble(
      ProcessContext context, RoutingView view, WsConnections webSockets) {
    TopicCatalogue topics = context.topics();
    Settings settings = context.settings();
    Share share = new Share(topics.probes().keys(), topics.probes().spec().partitions());
    Outbox<ProbeResult> results = new Outbox<>(context, topics.probes());
    Prober prober =
        new Prober(
            context,
            view,
            webSockets,
            share,
            settings.get(HealthSettings.TICK).toMillis(),
            settings.get(HealthSettings.TIMEOUT).toMillis(),
            results::offer);
    PresencePublisher presence =
        new PresencePublisher(
            context, ROLE, () -> PresencePublisher.Work.on(assignment(topics, share)));
    return List.of(results, new Folding(context, share), prober, presence);
  }

  private static List<String> assignment(TopicCatalogue topics, Share share) {
    return share.assigned().stream()
        .sorted()
        .map(partition -> topics.probes().id().word() + "-" + partition)
        .toList();
  }

  /** The topology as a service. */
  private static final class Folding implements Service {
    private final ProcessContext context;
    private final Share share;
    private @Nullable StreamsRunner runner;

    Folding(ProcessContext context, Share share) {
      this.context = context;
      this.share = share;
    }

    @Override
    public String name() {
      return "health topology";
    }

    @Override
    public void start() {
      TopicCatalogue topics = context.topics();
      StreamsSpec spec =
          StreamsSpec.of(
                  ROLE + "-" + context.region(),
                  () ->
                      HealthTopology.build(
                          topics,
                          context.region(),
                          HealthPolicy.DEFAULT,
                          SplittableRandom::new,
                          share),
                  context.dataDirectory().resolve("streams"))
              .withThreads(context.settings().get(HealthSettings.THREADS));
      TopicCheck required =
          RequiredTopics.of(
              topics,
              List.of(
                  topics.probes(),
                  topics.attempts(),
                  topics.latencyDigests(),
                  topics.instanceHealth()));
      StreamsRunner started =
          StreamsRunner.start(context.kafka(), spec, required, context.deadLetters());
      runner = started;
      context.readiness().add(started);
    }

    @Override
    public void stop() {
      if (runner != null) {
        runner.close();
      }
    }
  }
}
