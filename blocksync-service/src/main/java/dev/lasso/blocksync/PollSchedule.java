package dev.lasso.blocksync;

import dev.lasso.routing.InstanceId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * When each instance is polled next: first after a random part of a second, so that many do not
 * begin at once; then at its interval, some times slower while a stream of new heads covers it, and
 * less often, up to a longest wait, while it fails. An instance is asked once at a time. Belongs to
 * the watcher's event loop. Times are milliseconds.
 */
final class PollSchedule {
  private static final long FIRST_WITHIN_MS = 1_000;
  private static final double JITTER = 0.1;

  private final RandomGenerator random;
  private final PollPolicy policy;
  private final Map<InstanceId, Entry> entries = new HashMap<>();
  private int underWay;

  PollSchedule(RandomGenerator random, PollPolicy policy) {
    this.random = random;
    this.policy = policy;
  }

  private static final class Entry {
    private boolean underWay;
    private int failures;

    /** When the last poll began; before the first, when the instance became known. */
    private long startedMs;

    private boolean polled;
    private long firstWaitMs;
    private double jitter = 1;
  }

  /**
   * The targets due now, the longest overdue first, counted as under way from now on.
   *
   * @param covered whether a stream of new heads covers an instance
   */
  List<HeadTarget> due(Collection<HeadTarget> targets, Predicate<InstanceId> covered, long nowMs) {
    List<Overdue> overdue = new ArrayList<>();
    for (HeadTarget target : targets) {
      Entry entry = entries.computeIfAbsent(target.instance(), _ -> newcomer(target, nowMs));
      if (!entry.underWay) {
        long byMs = nowMs - entry.startedMs - waitMs(target, entry, covered);
        if (byMs >= 0) {
          overdue.add(new Overdue(target, entry, byMs));
        }
      }
    }
    overdue.sort((a, b) -> Long.compare(b.byMs, a.byMs));
    List<HeadTarget> due = new ArrayList<>();
    for (Overdue one : overdue) {
      if (underWay == policy.mostUnderWay()) {
        break;
      }
      start(one.entry, nowMs);
      due.add(one.target);
    }
    return due;
  }

  private record Overdue(HeadTarget target, Entry entry, long byMs) {}

  /** A poll ended. */
  void ended(InstanceId instance, boolean succeeded) {
    Entry entry = entries.get(instance);
    if (entry != null && entry.underWay) {
      entry.underWay = false;
      underWay--;
      entry.failures = succeeded ? 0 : entry.failures + 1;
    }
  }

  /** Forgets instances that are polled no more. */
  void keep(Set<InstanceId> instances) {
    entries
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !instances.contains(entry.getKey());
              if (gone && entry.getValue().underWay) {
                underWay--;
              }
              return gone;
            });
  }

  private Entry newcomer(HeadTarget target, long nowMs) {
    Entry entry = new Entry();
    entry.startedMs = nowMs;
    entry.firstWaitMs = random.nextLong(Math.min(target.intervalMs(), FIRST_WITHIN_MS));
    return entry;
  }

  private void start(Entry entry, long nowMs) {
    entry.polled = true;
    entry.underWay = true;
    entry.startedMs = nowMs;
    entry.jitter = random.nextDouble(1 - JITTER, 1 + JITTER);
    underWay++;
  }

  private long waitMs(HeadTarget target, Entry entry, Predicate<InstanceId> covered) {
    if (!entry.polled) {
      return entry.firstWaitMs;
    }
    long waitMs = target.intervalMs();
    if (entry.failures > 1) {
      long backedOffMs = waitMs << Math.min(entry.failures - 1, 10);
      waitMs = Math.max(waitMs, Math.min(backedOffMs, policy.longestBackoffMs()));
    } else if (entry.failures == 0 && covered.test(target.instance())) {
      waitMs *= policy.coveredFactor();
    }
    return Math.round((double) waitMs * entry.jitter);
  }
}
