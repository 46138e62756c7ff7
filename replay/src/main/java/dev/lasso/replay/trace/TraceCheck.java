package dev.lasso.replay.trace;

import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.read.TopicEvents;
import dev.lasso.replay.state.RecordedInstances;
import dev.lasso.replay.state.RegionFolds;
import dev.lasso.routing.Region;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.UnreadableRecord;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads every record of a recording into the domain and folds the state topics, as any question
 * would, and says how that went. Belongs to one thread.
 */
public final class TraceCheck {
  private static final int SNAPSHOT_EVERY = 1_000;

  private static final TopicEvents NOTHING = new TopicEvents() {};

  private TraceCheck() {}

  /**
   * What was found.
   *
   * @param records by topic, unreadable ones included
   * @param skipped unreadable ones by reason
   * @param firstMs oldest timestamp, milliseconds since the epoch; 0 when there is no record
   * @param lastMs youngest timestamp; 0 when there is no record
   * @param disorder records that stand at or before the offset of an earlier one of their partition
   * @param faults where the file is damaged or cut short, a sentence each
   * @param took how long reading and folding took, nanoseconds
   */
  public record Result(
      Map<TopicName, Long> records,
      Map<String, Long> skipped,
      long firstMs,
      long lastMs,
      long disorder,
      List<String> faults,
      long took) {
    public Result {
      records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
      skipped = Map.copyOf(skipped);
      faults = List.copyOf(faults);
    }

    /** Whether nothing is missing and everything can be read. */
    public boolean whole() {
      return skipped.isEmpty() && disorder == 0 && faults.isEmpty();
    }

    /** All records. */
    public long total() {
      return records.values().stream().mapToLong(Long::longValue).sum();
    }

    public double recordsPerSecond() {
      return total() / Math.max(1e-9, took / 1e9);
    }
  }

  /** Reads everything. */
  public static Result run(Recording recording) {
    long beganNs = System.nanoTime();
    RegionFolds folds = new RegionFolds(recording.topics(), new RecordedInstances(_ -> null));
    int[] sinceSnapshot = {0};
    Map<TopicName, Long> counts = new EnumMap<>(TopicName.class);
    Map<String, Long> offsets = new HashMap<>();
    long[] seen = {Long.MAX_VALUE, Long.MIN_VALUE, 0};
    recording.readRaw(
        Recording.spans(List.of(TopicName.values()), Span.until(Long.MAX_VALUE)),
        record -> {
          counts.merge(record.topic(), 1L, Long::sum);
          seen[0] = Math.min(seen[0], record.atMs());
          seen[1] = Math.max(seen[1], record.atMs());
          Long before = offsets.put(record.topic().word() + record.partition(), record.offset());
          if (before != null && before >= record.offset()) {
            seen[2]++;
          }
          if (SnapshotRecords.SOURCES.contains(record.topic())) {
            fold(record, folds, recording, sinceSnapshot);
          } else {
            recording.dispatch(record, NOTHING);
          }
        });
    boolean none = counts.isEmpty();
    return new Result(
        counts,
        recording.notices().skipped(),
        none ? 0 : seen[0],
        none ? 0 : seen[1],
        seen[2],
        recording.notices().faults(),
        System.nanoTime() - beganNs);
  }

  private static void fold(
      RawRecord record, RegionFolds folds, Recording recording, int[] sinceSnapshot) {
    try {
      Region region = folds.add(record);
      if (region != null && ++sinceSnapshot[0] == SNAPSHOT_EVERY) {
        sinceSnapshot[0] = 0;
        folds.snapshot(region);
      }
    } catch (UnreadableRecord e) {
      recording.notices().unreadable(record, e);
    }
  }
}
