package dev.lasso.runtime.kafka;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What one poll brought: the records in order for each partition, and for each partition touched
 * the offset of the next record to come, records that were skipped included. May hold no record,
 * when all were skipped.
 */
public record TailBatch<E>(List<TailRecord<E>> records, Map<TopicPartition, Long> nextOffsets) {
  public TailBatch {
    records = List.copyOf(records);
    nextOffsets = Map.copyOf(nextOffsets);
  }
}
