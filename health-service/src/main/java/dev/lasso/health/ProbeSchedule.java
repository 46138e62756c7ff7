package dev.lasso.health;

import dev.lasso.routing.Endpoint;
import dev.lasso.routing.health.ProbeBackoff;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * When each endpoint is probed next. A well one waits for its interval, a failing one for the
 * seed's backoff, one whose circuit is not closed for a short while, so that a recovered provider
 * is back soon. Belongs to the prober's event loop. Times are milliseconds.
 */
final class ProbeSchedule {
  /** The shortest wait of a well endpoint as a part of its interval. */
  private static final double SHORTEST_WAIT = 0.9;

  private final RandomGenerator random;
  private final long recoveringMs;
  private final Map<Endpoint, Entry> entries = new HashMap<>();

  /**
   * @param recoveringMs longest time between probes of an endpoint that answers while its circuit
   *     is not closed
   */
  ProbeSchedule(RandomGenerator random, long recoveringMs) {
    this.random = random;
    this.recoveringMs = recoveringMs;
  }

  private static final class Entry {
    private boolean underWay;
    private int failures;
    private long endedMs;
    private long waitMs;
  }

  /**
   * Those due now, the longest overdue first, counted as under way from now on: no more than keep
   * all of them at their intervals when so many are begun each time.
   *
   * @param targets all that this process takes care of
   * @param circuitClosed whether the fleet's circuit of an endpoint is closed
   * @param tickMs time until the next ones are asked for
   */
  List<ProbeTarget> due(
      Collection<ProbeTarget> targets, Predicate<Endpoint> circuitClosed, long nowMs, long tickMs) {
    List<Overdue> overdue = new ArrayList<>();
    double shareOfTick = 0;
    for (ProbeTarget target : targets) {
      shareOfTick += (double) tickMs / (SHORTEST_WAIT * target.intervalMs());
      Entry entry = entries.computeIfAbsent(target.endpoint(), _ -> new Entry());
      if (entry.underWay) {
        continue;
      }
      long waitMs = entry.waitMs;
      if (entry.failures == 0 && !circuitClosed.test(target.endpoint())) {
        waitMs = Math.min(waitMs, recoveringMs);
      }
      long byMs = nowMs - (entry.endedMs + waitMs);
      if (byMs >= 0) {
        overdue.add(new Overdue(target, entry, byMs));
      }
    }
    overdue.sort(Comparator.comparingLong(Overdue::byMs).reversed());
    List<ProbeTarget> due = new ArrayList<>();
    for (Overdue one : overdue.subList(0, Math.min(overdue.size(), atATime(shareOfTick)))) {
      one.entry.underWay = true;
      due.add(one.target);
    }
    return due;
  }

  private static int atATime(double shareOfTick) {
    return Math.max(1, (int) Math.ceil(shareOfTick));
  }

  private record Overdue(ProbeTarget target, Entry entry, long byMs) {}

  /** A probe ended. */
  void ended(ProbeTarget target, boolean succeeded, long nowMs) {
    Entry entry = entries.get(target.endpoint());
    if (entry != null) {
      entry.underWay = false;
      entry.endedMs = nowMs;
      entry.failures = succeeded ? 0 : entry.failures + 1;
      entry.waitMs =
          succeeded
              ? Math.round((double) target.intervalMs() * random.nextDouble(SHORTEST_WAIT, 1.0))
              : ProbeBackoff.delayMs(entry.failures, random);
    }
  }

  /** Forgets endpoints that are probed no more. */
  void keep(Set<Endpoint> endpoints) {
    entries.keySet().retainAll(endpoints);
  }
}
