package dev.lasso.replay.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The entries found so far, of one period, up to a number that a person could read. */
final class Entries {
  private static final int MOST = 100_000;

  private final long fromMs;
  private final long toMs;
  private final List<Entry> found = new ArrayList<>();
  private long beyond;

  Entries(long fromMs, long toMs) {
    this.fromMs = fromMs;
    this.toMs = toMs;
  }

  void add(Entry entry) {
    if (entry.endMs() < fromMs || entry.atMs() > toMs) {
      return;
    }
    if (found.size() < MOST) {
      found.add(entry);
    } else {
      beyond++;
    }
  }

  /** How many did not fit. */
  long beyond() {
    return beyond;
  }

  List<Entry> inOrder() {
    List<Entry> sorted = new ArrayList<>(found);
    sorted.sort(Comparator.comparingLong(Entry::atMs).thenComparing(Entry::kind));
    return sorted;
  }
}
