package dev.lasso.benchmark;

import dev.lasso.engine.process.Folding;
import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.settings.EngineSettings;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.schemas.TopicCatalogue;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The benchmark role: folds what every process measured of the providers into provider-metrics.
 * Processes of the role in one region share the work by partition.
 */
public final class BenchmarkService {
  /** The role's word. */
  public static final String ROLE = "benchmark";

  /** The role's settings. */
  public static final List<SettingGroup> SETTINGS =
      Stream.of(List.of(BenchmarkSettings.GROUP), EngineSettings.FOLDING, EngineSettings.FLEET)
          .flatMap(List::stream)
          .toList();

  private BenchmarkService() {}

  /**
   * Makes the role's parts, in start order; nothing runs yet.
   *
   * @throws IllegalArgumentException when the settings do not fit together
   */
  public static List<Service> assemble(ProcessContext context) {
    TopicCatalogue topics = context.topics();
    Set<Integer> partitions = ConcurrentHashMap.newKeySet();
    BenchmarkPolicy policy = BenchmarkSettings.policy(context.settings());
    Folding folding =
        new Folding(
            context,
            ROLE,
            () -> BenchmarkTopology.build(topics, context.region(), policy, partitions),
            context.settings().get(BenchmarkSettings.THREADS),
            List.of(topics.latencyDigests(), topics.providerMetrics()));
    return List.of(
        folding,
        new PresencePublisher(
            context,
            ROLE,
            () -> PresencePublisher.Work.on(assignment(topics, partitions), folding.lag())));
  }

  private static List<String> assignment(TopicCatalogue topics, Set<Integer> partitions) {
    return partitions.stream()
        .sorted()
        .map(partition -> topics.latencyDigests().id().word() + "-" + partition)
        .toList();
  }
}
