package dev.lasso.health;

import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.KeyCodec;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Utils;

/**
 * The partitions whose endpoints this process folds, and with them its share of the probing: the
 * process that folds an endpoint probes it. Kafka's group protocol divides both at once. Written by
 * Streams threads, read by any.
 */
final class Partitions {
  private final KeyCodec<EndpointKey> keys;
  private final int count;
  private volatile Set<Integer> assigned = Set.of();

  /**
   * Starts with none.
   *
   * @param keys how keys become bytes
   * @param count partitions of the topic
   */
  Partitions(KeyCodec<EndpointKey> keys, int count) {
    this.keys = keys;
    this.count = count;
  }

  synchronized void add(int partition) {
    Set<Integer> next = new TreeSet<>(assigned);
    next.add(partition);
    assigned = Set.copyOf(next);
  }

  synchronized void remove(int partition) {
    Set<Integer> next = new TreeSet<>(assigned);
    next.remove(partition);
    assigned = Set.copyOf(next);
  }

  /** The partitions at the moment. */
  Set<Integer> assigned() {
    return assigned;
  }

  /** Whether the key falls into one of them, as Kafka's default partitioner decides. */
  boolean holds(EndpointKey key) {
    int partition = Utils.toPositive(Utils.murmur2(keys.toBytes(key))) % count;
    return assigned.contains(partition);
  }
}
