package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of several topics, merged: in each partition in the order in which they stand there,
 * across partitions by time as far as that order allows. Belongs to one thread.
 */
public interface RecordStream extends AutoCloseable {
  /** The next record, or null after the last one. Blocks while it is being fetched. */
  @Nullable RawRecord next();

  /** How much has been read, 0 to 1. */
  double share();

  /** What is wrong with what was read, a sentence each; complete after the last record. */
  default List<String> faults() {
    return List.of();
  }

  @Override
  void close();
}
