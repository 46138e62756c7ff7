package dev.lasso.engine.process;

import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.StreamsRunner;
import dev.lasso.runtime.kafka.StreamsSpec;
import dev.lasso.schemas.Topic;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * A role's topology as a service. Processes of one role in one region share its partitions. Started
 * and stopped by one thread.
 */
public final class Folding implements Service {
  private final ProcessContext context;
  private final String role;
  private final Supplier<Topology> topology;
  private final int threads;
  private final List<Topic<?, ?>> topics;
  private volatile @Nullable StreamsRunner runner;

  /**
   * Nothing runs yet.
   *
   * @param role whose topology it is
   * @param topology makes a fresh one at each start
   * @param threads that fold partitions side by side
   * @param topics which must stand in Kafka before it starts
   */
  public Folding(
      ProcessContext context,
      String role,
      Supplier<Topology> topology,
      int threads,
      List<Topic<?, ?>> topics) {
    this.context = context;
    this.role = role;
    this.topology = topology;
    this.threads = threads;
    this.topics = List.copyOf(topics);
  }

  @Override
  public String name() {
    return role + " topology";
  }

  @Override
  public void start() {
    StreamsSpec spec =
        StreamsSpec.of(
                role + "-" + context.region(), topology, context.dataDirectory().resolve("streams"))
            .withThreads(threads)
            .withCommitInterval(context.settings().get(FoldSettings.COMMIT_INTERVAL))
            .withSession(context.settings().get(FoldSettings.SESSION));
    StreamsRunner started =
        StreamsRunner.start(
            context.kafka(),
            spec,
            RequiredTopics.of(context.topics(), topics),
            context.deadLetters(),
            context.metrics().registry(),
            context.clock());
    runner = started;
    context.readiness().add(started);
  }

  /** Records it has yet to fold, by topic. Any thread; asks Kafka nothing. */
  public Map<String, Long> lag() {
    StreamsRunner started = runner;
    return started == null ? Map.of() : started.lag();
  }

  @Override
  public void stop() {
    StreamsRunner started = runner;
    if (started != null) {
      started.close();
    }
  }
}
