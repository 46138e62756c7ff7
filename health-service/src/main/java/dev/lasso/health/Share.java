package dev.lasso.health;

import dev.lasso.engine.process.PartitionShare;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.KeyCodec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * This process's share of the fleet's endpoints, and which of their circuits are not closed: the
 * process that folds an endpoint also probes it, so the prober knows each circuit without asking.
 * Written by Streams threads, read by any.
 */
final class Share {
  private final PartitionShare<EndpointKey> partitions;
  private final Map<EndpointKey, CircuitStatus> notClosed = new ConcurrentHashMap<>();

  /**
   * Starts with none.
   *
   * @param keys how keys become bytes
   * @param partitions partitions of the topics
   */
  Share(KeyCodec<EndpointKey> keys, int partitions) {
    this.partitions = new PartitionShare<>(keys, partitions);
  }

  void add(int partition) {
    partitions.add(partition);
  }

  void remove(int partition) {
    partitions.remove(partition);
    notClosed.keySet().removeIf(key -> partitions.partition(key) == partition);
  }

  void circuit(EndpointKey key, CircuitStatus status) {
    if (status == CircuitStatus.CLOSED) {
      notClosed.remove(key);
    } else {
      notClosed.put(key, status);
    }
  }

  /** The partitions at the moment. */
  PartitionShare<EndpointKey> partitions() {
    return partitions;
  }

  /** Whether the endpoint is this process's. */
  boolean holds(EndpointKey key) {
    return partitions.holds(key);
  }

  /** Whether the fleet's circuit of an endpoint of this share is closed. */
  boolean closed(EndpointKey key) {
    return !notClosed.containsKey(key);
  }
}
