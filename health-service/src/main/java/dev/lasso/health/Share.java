package dev.lasso.health;

import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.KeyCodec;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.utils.Utils;

/**
 * This process's share of the fleet's endpoints: those of the partitions that it folds. The process
 * that folds an endpoint also probes it, so Kafka's group protocol divides both at once, and the
 * prober knows each circuit without asking. Written by Streams threads, read by any.
 */
final class Share {
  private final KeyCodec<EndpointKey> keys;
  private final int partitions;
  private final Map<EndpointKey, CircuitStatus> notClosed = new ConcurrentHashMap<>();
  private volatile Set<Integer> assigned = Set.of();

  /**
   * Starts with none.
   *
   * @param keys how keys become bytes
   * @param partitions partitions of the topics
   */
  Share(KeyCodec<EndpointKey> keys, int partitions) {
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
    notClosed.keySet().removeIf(key -> partition(key) == partition);
  }

  void circuit(EndpointKey key, CircuitStatus status) {
    if (status == CircuitStatus.CLOSED) {
      notClosed.remove(key);
    } else {
      notClosed.put(key, status);
    }
  }

  /** The partitions at the moment. */
  Set<Integer> assigned() {
    return assigned;
  }

  /** Whether the endpoint is this process's. */
  boolean holds(EndpointKey key) {
    return assigned.contains(partition(key));
  }

  /** Whether the fleet's circuit of an endpoint of this share is closed. */
  boolean closed(EndpointKey key) {
    return !notClosed.containsKey(key);
  }

  /** As Kafka's default partitioner decides. */
  private int partition(EndpointKey key) {
    return Utils.toPositive(Utils.murmur2(keys.toBytes(key))) % partitions;
  }
}
