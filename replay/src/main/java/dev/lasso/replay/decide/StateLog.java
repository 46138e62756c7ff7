package dev.lasso.replay.decide;

import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords.Step;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was written to the topics that snapshots are folded from: of each partition the newest steps
 * one by one, and of what was before only the last step of each key. So any snapshot of the last
 * minutes can be folded from it with bounded memory. Owned by one thread.
 */
final class StateLog {
  private final int maxSteps;
  private final Map<String, Long> floors;
  private final Map<String, Partition> partitions = new TreeMap<>();

  /** The partitions of the steps held one by one, oldest step first. */
  private final ArrayDeque<Partition> arrivals = new ArrayDeque<>();

  /** A step with its place in its partition. */
  private record Placed(long offset, String key, Step step) {}

  private static final class Partition {
    private final Map<String, Step> base = new LinkedHashMap<>();
    private final ArrayDeque<Placed> steps = new ArrayDeque<>();
    private long baseEnd;
    private long next;
  }

  /**
   * Holds nothing yet.
   *
   * @param complete from where on each source holds every record; what stands before is only the
   *     newest of each key
   * @param maxSteps steps held one by one, all partitions together
   */
  StateLog(SnapshotPosition complete, int maxSteps) {
    this.maxSteps = maxSteps;
    this.floors = offsets(complete);
  }

  /** The next offset of each source that a position names. */
  static Map<String, Long> offsets(SnapshotPosition position) {
    Map<String, Long> offsets = new HashMap<>();
    for (int i = 0; i < position.sources().size(); i++) {
      offsets.put(position.sources().get(i), position.nextOffset(i));
    }
    return offsets;
  }

  /**
   * Adds what a record does.
   *
   * @param followers folds that must take a step before it is no longer held one by one
   */
  void add(RawRecord record, Step step, Collection<FoldCursor> followers) {
    String source = record.topic().word() + "-" + record.partition();
    Partition partition = partitions.computeIfAbsent(source, _ -> new Partition());
    byte[] key = record.key();
    partition.steps.add(
        new Placed(
            record.offset(), key == null ? "" : new String(key, StandardCharsets.UTF_8), step));
    partition.next = record.offset() + 1;
    arrivals.add(partition);
    while (arrivals.size() > maxSteps) {
      settle(arrivals.remove(), followers);
    }
  }

  private void settle(Partition partition, Collection<FoldCursor> followers) {
    Placed oldest = partition.steps.remove();
    partition.baseEnd = oldest.offset() + 1;
    for (FoldCursor follower : followers) {
      if (follower.next(partition) <= oldest.offset()) {
        follower.apply(partition, oldest.step(), oldest.offset() + 1);
      }
    }
    partition.base.remove(oldest.key());
    partition.base.put(oldest.key(), oldest.step());
  }

  /** Whether every record that stands before a position has been added. */
  boolean reached(SnapshotPosition position) {
    for (int i = 0; i < position.sources().size(); i++) {
      Partition partition = partitions.get(position.sources().get(i));
      if (partition == null
          ? position.nextOffset(i) > 0
          : partition.next < position.nextOffset(i)) {
        return false;
      }
    }
    return true;
  }

  /** Why the snapshot at a position can't be folded any more, or null when it can. */
  @Nullable String lost(SnapshotPosition position) {
    Map<String, Long> wanted = offsets(position);
    for (Map.Entry<String, Long> floor : floors.entrySet()) {
      if (wanted.getOrDefault(floor.getKey(), 0L) < floor.getValue()) {
        return floor.getKey() + " is complete only from offset " + floor.getValue();
      }
    }
    for (Map.Entry<String, Partition> entry : partitions.entrySet()) {
      if (wanted.getOrDefault(entry.getKey(), 0L) < entry.getValue().baseEnd) {
        return entry.getKey() + " is held one by one only from " + entry.getValue().baseEnd;
      }
    }
    return null;
  }

  /** A fold of everything that is held no longer one by one. */
  void begin(FoldCursor cursor) {
    for (Partition partition : partitions.values()) {
      partition.base.values().forEach(step -> cursor.apply(partition, step, partition.baseEnd));
    }
  }

  /** Whether a fold has taken nothing that stands at a position or after it. */
  boolean notBeyond(FoldCursor cursor, SnapshotPosition position) {
    Map<String, Long> wanted = offsets(position);
    for (Map.Entry<String, Partition> entry : partitions.entrySet()) {
      if (cursor.next(entry.getValue()) > wanted.getOrDefault(entry.getKey(), 0L)) {
        return false;
      }
    }
    return true;
  }

  /** Has a fold take everything up to a position. */
  void advance(FoldCursor cursor, SnapshotPosition position) {
    for (int i = 0; i < position.sources().size(); i++) {
      Partition partition = partitions.get(position.sources().get(i));
      if (partition != null) {
        advance(cursor, partition, position.nextOffset(i));
      }
    }
  }

  /** Has a fold take everything that there is. */
  void advanceToEnd(FoldCursor cursor) {
    partitions.values().forEach(partition -> advance(cursor, partition, partition.next));
  }

  private static void advance(FoldCursor cursor, Partition partition, long to) {
    long from = cursor.next(partition);
    if (from >= to || partition.steps.isEmpty()) {
      return;
    }
    // most often only the newest steps are wanted: search from the end
    ArrayDeque<Placed> wanted = new ArrayDeque<>();
    for (Iterator<Placed> newest = partition.steps.descendingIterator(); newest.hasNext(); ) {
      Placed placed = newest.next();
      if (placed.offset() < from) {
        break;
      }
      if (placed.offset() < to) {
        wanted.push(placed);
      }
    }
    for (Placed placed : wanted) {
      cursor.apply(partition, placed.step(), placed.offset() + 1);
    }
  }

  /** A fold and how far it has taken each partition. Owned by the log's thread. */
  static final class FoldCursor {
    private final SnapshotFold fold;
    private final Map<Partition, Long> nextOffsets = new HashMap<>();

    FoldCursor(SnapshotFold fold) {
      this.fold = fold;
    }

    SnapshotFold fold() {
      return fold;
    }

    private long next(Partition partition) {
      return nextOffsets.getOrDefault(partition, 0L);
    }

    private void apply(Partition partition, Step step, long next) {
      step.applyTo(fold);
      nextOffsets.put(partition, next);
    }
  }
}
