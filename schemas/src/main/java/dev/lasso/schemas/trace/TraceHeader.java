package dev.lasso.schemas.trace;

import dev.lasso.routing.snapshot.SnapshotPosition;
import java.util.List;

/**
 * What a trace says of itself.
 *
 * @param createdAtMs when it was made, milliseconds since the epoch
 * @param fromMs start of the recorded period, inclusive
 * @param toMs end of the recorded period, inclusive
 * @param base where the complete records of the state topics begin; of what stood before, only the
 *     newest version of each key is in the trace
 * @param notes what whoever reads it should know: gaps, what was left out
 */
public record TraceHeader(
    long createdAtMs, long fromMs, long toMs, SnapshotPosition base, List<String> notes) {
  /** The newest version of the format that this build reads, and the one it writes. */
  public static final int VERSION = 1;

  public TraceHeader {
    notes = List.copyOf(notes);
  }
}
