package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
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

  @Override
  void close();
}
