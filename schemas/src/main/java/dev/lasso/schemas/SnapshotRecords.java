package dev.lasso.schemas;

import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.snapshot.SnapshotFold;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the records of the topics that routing reads do to a {@link SnapshotFold}. The view of a
 * running process and replay share it, so that both fold alike. Immutable, safe on any thread.
 */
public final class SnapshotRecords {
  /** The topics that a complete snapshot is folded from. */
  public static final Set<TopicName> SOURCES =
      Set.of(
          TopicName.PROFILES,
          TopicName.INSTANCE_HEALTH,
          TopicName.CHAIN_STATE,
          TopicName.PROVIDER_METRICS);

  private final TopicCatalogue topics;

  public SnapshotRecords(TopicCatalogue topics) {
    this.topics = topics;
  }

  /**
   * What one record does. May be applied to any number of folds.
   *
   * @param change the change
   * @param health what it says of an endpoint, or null when it is about something else
   */
  public record Step(Consumer<SnapshotFold> change, @Nullable InstanceHealth health) {
    /** Does it to a fold. */
    public void applyTo(SnapshotFold fold) {
      change.accept(fold);
    }
  }

  /**
   * Reads a record by its full topic name.
   *
   * @throws UnreadableRecord when this build cannot read its key or value
   * @throws IllegalArgumentException when it is of another topic
   */
  public Step read(ConsumerRecord<byte[], byte[]> record) {
    for (TopicName source : SOURCES) {
      if (record.topic().equals(topics.settings().prefix() + source.word())) {
        return read(
            new RawRecord(
                source,
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value()));
      }
    }
    throw new IllegalArgumentException("not a source of routing: " + record.topic());
  }

  /**
   * Reads a record.
   *
   * @throws UnreadableRecord when this build cannot read its key or value
   * @throws IllegalArgumentException when it is of another topic
   */
  public Step read(RawRecord record) {
    return switch (record.topic()) {
      case PROFILES ->
          step(topics.profiles().read(record), SnapshotFold::apply, SnapshotFold::remove);
      case INSTANCE_HEALTH -> {
        Topic.Entry<EndpointKey, InstanceHealth> entry = topics.instanceHealth().read(record);
        Step step =
            step(
                entry,
                SnapshotFold::apply,
                (fold, key) -> fold.removeHealth(key.region(), key.endpoint()));
        yield new Step(step.change(), entry.value());
      }
      case CHAIN_STATE ->
          step(
              topics.chainState().read(record),
              SnapshotFold::apply,
              (fold, key) -> fold.removeChainState(key.region(), key.chain()));
      case PROVIDER_METRICS ->
          step(
              topics.providerMetrics().read(record),
              SnapshotFold::apply,
              (fold, key) ->
                  fold.removeMetrics(
                      key.region(),
                      key.profile(),
                      key.chain(),
                      key.instance(),
                      key.transport(),
                      key.method()));
      case PROBES,
          ATTEMPTS,
          LATENCY_DIGESTS,
          UPSTREAM_HEADS,
          CHAIN_EVENTS,
          ROUTING_DECISIONS,
          FILTERS,
          PRESENCE,
          DEAD_LETTERS ->
          throw new IllegalArgumentException("not a source of routing: " + record.topic());
    };
  }

  private static <K, V> Step step(
      Topic.Entry<K, V> entry,
      BiConsumer<SnapshotFold, V> set,
      BiConsumer<SnapshotFold, K> remove) {
    V value = entry.value();
    return value == null
        ? new Step(fold -> remove.accept(fold, entry.key()), null)
        : new Step(fold -> set.accept(fold, value), null);
  }
}
