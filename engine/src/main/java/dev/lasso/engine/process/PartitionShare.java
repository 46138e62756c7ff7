package dev.lasso.engine.process;

import dev.lasso.schemas.KeyCodec;
import dev.lasso.schemas.Topic;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Utils;

/**
 * This process's share of the keys of a topic: those of the partitions that it folds. The process
 * that folds a key also does the work around it, so Kafka's group protocol divides both at once.
 * Written by Streams threads, read by any.
 */
public final class PartitionShare<K> {
  private final KeyCodec<K> keys;
  private final int partitions;
  private volatile Set<Integer> assigned = Set.of();

  /**
   * Starts with none.
   *
   * @param keys how keys become bytes
   * @param partitions partitions of the topic
   */
  public PartitionShare(KeyCodec<K> keys, int partitions) {
    this.keys = keys;
    this.partitions = partitions;
  }

  /** A partition is this process's from now on. */
  public synchronized void add(int partition) {
    Set<Integer> next = new TreeSet<>(assigned);
    next.add(partition);
    assigned = Set.copyOf(next);
  }

  /** A partition is another's from now on. */
  public synchronized void remove(int partition) {
    Set<Integer> next = new TreeSet<>(assigned);
    next.remove(partition);
    assigned = Set.copyOf(next);
  }

  /** The partitions at the moment. */
  public Set<Integer> assigned() {
    return assigned;
  }

  /** The partitions at the moment as an operator reads them, {@code probes-0}, in order. */
  public List<String> assignedOf(Topic<?, ?> topic) {
    return assigned.stream()
        .sorted()
        .map(partition -> topic.id().word() + "-" + partition)
        .toList();
  }

  /** Whether the key is this process's. */
  public boolean holds(K key) {
    return assigned.contains(partition(key));
  }

  /** The key's partition, as Kafka's default partitioner decides. */
  public int partition(K key) {
    return Utils.toPositive(Utils.murmur2(keys.toBytes(key))) % partitions;
  }
}
