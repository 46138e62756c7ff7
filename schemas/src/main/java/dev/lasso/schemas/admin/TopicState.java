package dev.lasso.schemas.admin;

import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSpec;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topic of the catalogue as it stands in Kafka.
 *
 * @param wanted how the catalogue wants it
 * @param exists whether it is there; without it the numbers are 0 and the rest is empty
 * @param partitions number of partitions
 * @param replicationFactor copies of its first partition
 * @param configs the settings that the catalogue cares about, with their values in Kafka
 * @param drift how it differs from the catalogue
 */
public record TopicState(
    TopicSpec wanted,
    boolean exists,
    int partitions,
    int replicationFactor,
    SortedMap<String, String> configs,
    List<TopicDrift> drift) {
  public TopicState {
    configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
    drift = List.copyOf(drift);
  }

  /** Its short name. */
  public TopicName id() {
    return wanted.id();
  }

  /** Its name in Kafka. */
  public String topic() {
    return wanted.name();
  }
}
