package dev.lasso.health;

import dev.lasso.engine.process.Folding;
import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.record.Outbox;
import dev.lasso.engine.settings.EngineSettings;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.engine.view.ViewSettings;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.health.HealthPolicy;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicName;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

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
  public static final List<SettingGroup> SETTINGS =
      Stream.of(
              List.of(HealthSettings.GROUP),
              EngineSettings.UPSTREAM,
              EngineSettings.FOLDING,
              EngineSettings.FLEET)
          .flatMap(List::stream)
          .toList();

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
    Prober prober = new Prober(context, view, webSockets, share, results::offer);
    HealthPolicy policy = HealthSettings.policy(settings);
    long refreshMs = settings.get(ViewSettings.SPAN).toMillis() / 2;
    Folding folding =
        new Folding(
            context,
            ROLE,
            () ->
                HealthTopology.build(
                    topics, context.region(), policy, SplittableRandom::new, share, refreshMs),
            settings.get(HealthSettings.THREADS),
            List.of(
                topics.probes(),
                topics.attempts(),
                topics.latencyDigests(),
                topics.instanceHealth()));
    PresencePublisher presence =
        new PresencePublisher(
            context,
            ROLE,
            () ->
                PresencePublisher.Work.on(
                    share.partitions().assignedOf(topics.probes()), folding.lag()));
    return List.of(results, folding, prober, presence);
  }
}
