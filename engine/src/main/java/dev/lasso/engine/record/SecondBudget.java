package dev.lasso.engine.record;

import java.util.concurrent.atomic.AtomicLong;

/** So many a second, for all threads together, without locking. */
final class SecondBudget {
  private static final int COUNT_BITS = 24;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private final int perSecond;
  private final AtomicLong secondAndCount = new AtomicLong();

  SecondBudget(int perSecond) {
    this.perSecond = perSecond;
  }

  /** Takes one of the current second's places; false when none is left. */
  boolean take(long nowMs) {
    long second = nowMs / 1_000;
    while (true) {
      long seen = secondAndCount.get();
      long count = seen >>> COUNT_BITS == second ? seen & COUNT_MASK : 0;
      if (count >= perSecond) {
        return false;
      }
      if (secondAndCount.compareAndSet(seen, second << COUNT_BITS | (count + 1))) {
        return true;
      }
    }
  }
}
