package dev.lasso.gateway;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on bytes held at a time, shared by all event loops without locks. Small holdings may be
 * exempt: they count, but are never refused.
 */
final class ByteBudget {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  ByteBudget(long limit) {
    this.limit = limit;
  }

  /** Takes some bytes whether they fit or not. */
  void takeAnyway(long bytes) {
    taken.addAndGet(bytes);
  }

  /** Takes some bytes, or none when they don't fit. */
  boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= limit) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  long taken() {
    return taken.get();
  }
}
