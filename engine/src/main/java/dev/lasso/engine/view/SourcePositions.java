package dev.lasso.engine.view;

import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.TopicCatalogue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * How far each source partition was folded. Names are short: {@code chain-state-0} whatever the
 * prefix. Owned by the view's thread.
 */
final class SourcePositions {
  private final int prefixLength;
  private final Map<TopicPartition, Long> nextOffsets =
      new TreeMap<>(
          Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition));

  /** Names of the partitions in order; replaced when one is added or dropped. */
  private List<String> names = List.of();

  SourcePositions(TopicCatalogue topics) {
    this.prefixLength = topics.settings().prefix().length();
  }

  void advance(Map<TopicPartition, Long> offsets) {
    int known = nextOffsets.size();
    nextOffsets.putAll(offsets);
    if (nextOffsets.size() != known) {
      rename();
    }
  }

  void forget(String topic) {
    nextOffsets.keySet().removeIf(partition -> partition.topic().equals(topic));
    rename();
  }

  SnapshotPosition position() {
    long[] offsets = new long[nextOffsets.size()];
    int i = 0;
    for (long offset : nextOffsets.values()) {
      offsets[i++] = offset;
    }
    return new SnapshotPosition(names, offsets);
  }

  private void rename() {
    List<String> renamed = new ArrayList<>(nextOffsets.size());
    for (TopicPartition partition : nextOffsets.keySet()) {
      renamed.add(partition.topic().substring(prefixLength) + "-" + partition.partition());
    }
    names = List.copyOf(renamed);
  }
}
