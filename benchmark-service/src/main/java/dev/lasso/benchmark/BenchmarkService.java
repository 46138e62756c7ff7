package dev.lasso.benchmark;

import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.StreamsRunner;
import dev.lasso.runtime.kafka.StreamsSpec;
import dev.lasso.runtime.kafka.TopicCheck;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSpec;
import dev.lasso.schemas.admin.TopicAdmin;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The benchmark role: folds what every process measured of the providers into provider-metrics.
 * Processes of the role in one region share the work by partition.
 */
public final class BenchmarkService {
  /** The role's word. */
  public static final String ROLE = "benchmark";

  /** The role's settings. */
  public static final List<Setting<?>> SETTINGS = BenchmarkSettings.ALL;

  private static final Duration TOPIC_TIMEOUT = Duration.ofSeconds(3);

  private BenchmarkService() {}

  /**
   * Makes the role's parts, in start order; nothing runs yet.
   *
   * @throws IllegalArgumentException when the settings do not fit together
   */
  public static List<Service> assemble(ProcessContext context) {
    Set<Integer> partitions = ConcurrentHashMap.newKeySet();
    return List.of(
        new Folding(context, BenchmarkSettings.policy(context.settings()), partitions),
        new PresencePublisher(
            context,
            ROLE,
            () -> PresencePublisher.Work.on(assignment(context.topics(), partitions))));
  }

  private static List<String> assignment(TopicCatalogue topics, Set<Integer> partitions) {
    return partitions.stream()
        .sorted()
        .map(partition -> topics.latencyDigests().id().word() + "-" + partition)
        .toList();
  }

  /** The topology as a service. */
  private static final class Folding implements Service {
    private final ProcessContext context;
    private final BenchmarkPolicy policy;
    private final Set<Integer> partitions;
    private @Nullable StreamsRunner runner;

    Folding(ProcessContext context, BenchmarkPolicy policy, Set<Integer> partitions) {
      this.partitions = partitions;
      this.context = context;
      this.policy = policy;
    }

    @Override
    public String name() {
      return "benchmark topology";
    }

    @Override
    public void start() {
      TopicCatalogue topics = context.topics();
      StreamsSpec spec =
          StreamsSpec.of(
                  ROLE + "-" + context.region(),
                  () -> BenchmarkTopology.build(topics, context.region(), policy, partitions),
                  context.dataDirectory().resolve("streams"))
              .withThreads(context.settings().get(BenchmarkSettings.THREADS));
      List<TopicSpec> needed =
          List.of(topics.latencyDigests().spec(), topics.providerMetrics().spec());
      TopicCheck check = admin -> new TopicAdmin(admin, topics, TOPIC_TIMEOUT).problems(needed);
      StreamsRunner started =
          StreamsRunner.start(context.kafka(), spec, check, context.deadLetters());
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
