package dev.lasso.blocksync;

import dev.lasso.routing.ChainId;
import dev.lasso.schemas.KeyCodec;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Utils;

/**
 * This process's share of the chains: those whose heads it folds. The process that folds a chain
 * also watches its providers, so Kafka's group protocol divides both at once. Written by Streams
 * threads, read by any.
 */
final class Share {
  private final KeyCodec<ChainId> keys;
  private final int partitions;
  private volatile Set<Integer> assigned = Set.of();

  /**
   * Starts with none.
   *
   * @param keys how a chain becomes the key of a record
   * @param partitions partitions of the topic of heads
   */
  Share(KeyCodec<ChainId> keys, int partitions) {
    this.keys = keys;
    this.partitions = partitions;
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

  /** Whether the chain is this process's to watch. */
  boolean holds(ChainId chain) {
    return assigned.contains(partition(chain));
  }

  /** As Kafka's default partitioner decides. */
  private int partition(ChainId chain) {
    return Utils.toPositive(Utils.murmur2(keys.toBytes(chain))) % partitions;
  }
}
