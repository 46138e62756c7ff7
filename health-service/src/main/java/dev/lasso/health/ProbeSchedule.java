package dev.lasso.health;

import dev.lasso.routing.Endpoint;
import dev.lasso.routing.health.ProbeBackoff;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * When each endpoint is probed next. A well one waits for its interval, a failing one for the
 * seed's backoff, one whose circuit is not closed for a short while, so that a recovered provider
 * is back soon. Belongs to the prober's event loop. Times are milliseconds.
 */
final class ProbeSchedule {
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
   * The endpoint that has been due for longest, counted as under way from now on; null when none is
   * due.
   *
   * @param circuitClosed whether the fleet's circuit of an endpoint is closed
   */
  @Nullable ProbeTarget next(
      Collection<ProbeTarget> targets, Predicate<Endpoint> circuitClosed, long nowMs) {
    ProbeTarget next = null;
    Entry nextEntry = null;
    long longestOverdueMs = -1;
    for (ProbeTarget target : targets) {
      Entry entry = entries.computeIfAbsent(target.endpoint(), _ -> new Entry());
      if (entry.underWay) {
        continue;
      }
      long waitMs = entry.waitMs;
      if (entry.failures == 0 && !circuitClosed.test(target.endpoint())) {
        waitMs = Math.min(waitMs, recoveringMs);
      }
      long overdueMs = nowMs - (entry.endedMs + waitMs);
      if (overdueMs > longestOverdueMs) {
        longestOverdueMs = overdueMs;
        next = target;
        nextEntry = entry;
      }
    }
    if (nextEntry != null) {
      nextEntry.underWay = true;
    }
    return next;
  }

  /** A probe ended. */
  void ended(ProbeTarget target, boolean succeeded, long nowMs) {
    Entry entry = entries.get(target.endpoint());
    if (entry != null) {
      entry.underWay = false;
      entry.endedMs = nowMs;
      entry.failures = succeeded ? 0 : entry.failures + 1;
      entry.waitMs =
          succeeded
              ? Math.round((double) target.intervalMs() * random.nextDouble(0.9, 1.0))
              : ProbeBackoff.delayMs(entry.failures, random);
    }
  }

  /** Forgets endpoints that are probed no more. */
  void keep(Set<Endpoint> endpoints) {
    entries.keySet().retainAll(endpoints);
  }
}
