package dev.lasso.subscription;

import dev.lasso.routing.ChainId;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the subscribers of this process need of each chain. The first one of a chain makes its
 * stream begin: the chain's head is asked for and becomes the stream's beginning, so that what is
 * mined afterwards is told however long the fleet takes to follow. Thread-safe.
 */
final class ChainDemand {
  private final Function<ChainId, Future<StartingPoint>> begin;
  private final Runnable changed;
  private final Map<ChainId, Wanted> chains = new HashMap<>();

  /**
   * @param begin finds a chain's head and makes it known to the fleet
   * @param changed told after a chain was added or is no longer needed
   */
  ChainDemand(Function<ChainId, Future<StartingPoint>> begin, Runnable changed) {
    this.begin = begin;
    this.changed = changed;
  }

  private static final class Wanted {
    private int heads;
    private int logs;
    private @Nullable Future<StartingPoint> beginning;
  }

  /**
   * One more subscriber.
   *
   * @param logs whether it needs logs as well
   * @return the head at which the stream began; failed when nobody could tell it, and then the
   *     subscriber must be given back by {@link #release}
   */
  Future<StartingPoint> acquire(ChainId chain, boolean logs) {
    Future<StartingPoint> beginning;
    boolean announce;
    synchronized (this) {
      Wanted wanted = chains.computeIfAbsent(chain, _ -> new Wanted());
      wanted.heads++;
      announce = wanted.heads == 1;
      if (logs) {
        wanted.logs++;
        announce |= wanted.logs == 1;
      }
      Future<StartingPoint> known = wanted.beginning;
      if (known == null || known.failed()) {
        known = begin.apply(chain);
        wanted.beginning = known;
      }
      beginning = known;
    }
    if (announce) {
      changed.run();
    }
    return beginning;
  }

  /** One subscriber less. */
  void release(ChainId chain, boolean logs) {
    boolean announce;
    synchronized (this) {
      Wanted wanted = chains.get(chain);
      if (wanted == null) {
        return;
      }
      wanted.heads--;
      announce = wanted.heads == 0;
      if (logs) {
        wanted.logs--;
        announce |= wanted.logs == 0;
      }
      if (wanted.heads == 0) {
        chains.remove(chain);
      }
    }
    if (announce) {
      changed.run();
    }
  }

  /** Whether a subscriber here needs logs of the chain. */
  synchronized boolean wantsLogs(ChainId chain) {
    Wanted wanted = chains.get(chain);
    return wanted != null && wanted.logs > 0;
  }

  /** The chains whose heads are needed. */
  Set<ChainId> heads() {
    return wanting(_ -> true);
  }

  /** The chains whose logs are needed. */
  Set<ChainId> logs() {
    return wanting(wanted -> wanted.logs > 0);
  }

  private synchronized Set<ChainId> wanting(Predicate<Wanted> condition) {
    return chains.entrySet().stream()
        .filter(entry -> condition.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }
}
