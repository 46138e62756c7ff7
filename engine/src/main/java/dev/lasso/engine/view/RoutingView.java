package dev.lasso.engine.view;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.profile.ProviderResolver;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.TailBatch;
import dev.lasso.runtime.kafka.TailHandler;
import dev.lasso.runtime.kafka.TailRecord;
import dev.lasso.runtime.kafka.TailSpec;
import dev.lasso.runtime.kafka.TailStart;
import dev.lasso.runtime.kafka.TopicTail;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSpec;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routing snapshot of this process, kept current from the topics. When Kafka is away it stays
 * as it was.
 *
 * <p>The tail's thread owns the fold and is the only writer; {@link #snapshot()} is one volatile
 * read from any thread.
 */
public final class RoutingView implements Service, SnapshotSource {
  /** Everything that selection reads. */
  public static final Set<TopicName> FULL = SnapshotRecords.SOURCES;

  private final ProcessContext context;
  private final Set<TopicName> sources;
  private final SnapshotFold fold;
  private final SourcePositions positions;
  private final List<Consumer<RoutingSnapshot>> listeners = new CopyOnWriteArrayList<>();
  private final List<Consumer<InstanceHealth>> healthListeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> caughtUp = new CompletableFuture<>();
  private volatile RoutingSnapshot snapshot = RoutingSnapshot.EMPTY;
  private @Nullable TopicTail<SnapshotRecords.Step> tail;

  private RoutingView(ProcessContext context, Set<TopicName> sources, ProviderResolver resolver) {
    this.context = context;
    this.sources = Set.copyOf(sources);
    this.fold = new SnapshotFold(context.region(), resolver);
    this.positions = new SourcePositions(context.topics());
  }

  /**
   * A view that reads nothing yet.
   *
   * @param sources the topics to fold: {@link #FULL} to route, less for services that need only a
   *     part, none for those that need nothing
   */
  public static RoutingView of(ProcessContext context, Set<TopicName> sources) {
    return of(context, sources, ProviderResolver.of(context.environment()));
  }

  /**
   * A view that reads nothing yet.
   *
   * @param sources the topics to fold
   * @param resolver says what is behind the providers of profiles
   */
  public static RoutingView of(
      ProcessContext context, Set<TopicName> sources, ProviderResolver resolver) {
    return new RoutingView(context, sources, resolver);
  }

  @Override
  public RoutingSnapshot snapshot() {
    return snapshot;
  }

  /**
   * Calls the listener with all that is published of this region's endpoints, on the tail's thread;
   * it must be quick.
   */
  public void onHealth(Consumer<InstanceHealth> listener) {
    healthListeners.add(listener);
  }

  @Override
  public void onChange(Consumer<RoutingSnapshot> listener) {
    listeners.add(listener);
  }

  /**
   * Completes when what the topics held at the start has been folded, as far back as it matters.
   */
  public CompletableFuture<Void> caughtUp() {
    return caughtUp.copy();
  }

  @Override
  public String name() {
    return "routing view";
  }

  /** Begins to read; returns at once. A role that routes nothing has nothing to read. */
  @Override
  public void start() {
    if (sources.isEmpty()) {
      caughtUp.complete(null);
      return;
    }
    TopicTail<SnapshotRecords.Step> started =
        TopicTail.start(
            context.kafka(),
            new TailSpec<>(
                "routing-view",
                context.topics().specs().stream()
                    .filter(topic -> sources.contains(topic.id()))
                    .map(TopicSpec::name)
                    .sorted()
                    .toList(),
                new TailStart.Refreshed(
                    context.settings().get(ViewSettings.SPAN),
                    Set.of(
                        context.topics().instanceHealth().name(),
                        context.topics().chainState().name(),
                        context.topics().providerMetrics().name())),
                new SnapshotRecords(context.topics())::read,
                new Handler()),
            context.deadLetters(),
            context.metrics().registry(),
            context.clock());
    tail = started;
    context.readiness().add(started);
    var _ =
        started
            .caughtUp()
            .whenComplete(
                (_, failure) -> {
                  if (failure == null) {
                    caughtUp.complete(null);
                  } else {
                    caughtUp.completeExceptionally(failure);
                  }
                });
  }

  @Override
  public void stop() {
    if (tail != null) {
      tail.close();
    }
  }

  private final class Handler implements TailHandler<SnapshotRecords.Step> {
    @Override
    public void apply(TailBatch<SnapshotRecords.Step> batch) {
      for (TailRecord<SnapshotRecords.Step> record : batch.records()) {
        InstanceHealth health = record.event().health();
        if (health == null) {
          record.event().applyTo(fold);
        } else {
          InstanceHealth read = health.withoutFuture(context.clock().millis());
          fold.apply(read);
          heard(read);
        }
      }
      positions.advance(batch.nextOffsets());
      publish();
    }

    @Override
    public void restarted(String topic) {
      // a lost profiles topic is an accident, not an order to stop serving: profiles stay until
      // replaced
      if (topic.equals(context.topics().instanceHealth().name())) {
        fold.forgetHealth();
      } else if (topic.equals(context.topics().chainState().name())) {
        fold.forgetChainStates();
      } else if (topic.equals(context.topics().providerMetrics().name())) {
        fold.forgetMetrics();
      }
      positions.forget(topic);
      publish();
    }

    private void heard(InstanceHealth health) {
      if (health.region().equals(context.region())) {
        healthListeners.forEach(listener -> listener.accept(health));
      }
    }

    private void publish() {
      RoutingSnapshot next = fold.snapshot(positions.position());
      snapshot = next;
      listeners.forEach(listener -> listener.accept(next));
    }
  }
}
