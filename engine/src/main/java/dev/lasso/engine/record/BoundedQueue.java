package dev.lasso.engine.record;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A ring of fixed size: many threads put in without locking or waiting, one thread takes out. When
 * it is full, putting fails.
 */
final class BoundedQueue<T> {
  private final AtomicReferenceArray<@Nullable T> slots;
  private final int mask;
  private final AtomicLong tail = new AtomicLong();
  private final AtomicLong head = new AtomicLong();

  /**
   * @param capacity rounded up to a power of two
   */
  BoundedQueue(int capacity) {
    int size = Integer.highestOneBit(Math.max(capacity, 2) - 1) << 1;
    this.slots = new AtomicReferenceArray<>(size);
    this.mask = size - 1;
  }

  /** Puts an item in, or says that there is no room. Any thread. */
  boolean offer(T item) {
    while (true) {
      long at = tail.get();
      if (at - head.get() > mask) {
        return false;
      }
      if (tail.compareAndSet(at, at + 1)) {
        slots.setRelease((int) at & mask, item);
        return true;
      }
    }
  }

  /** Takes the oldest item out, or null when there is none. The one reading thread. */
  @Nullable T poll() {
    long at = head.get();
    int slot = (int) at & mask;
    T item = slots.getAcquire(slot);
    if (item != null) {
      slots.setPlain(slot, null);
      head.setRelease(at + 1);
    }
    return item;
  }

  /** About how many items are in it. Any thread. */
  int size() {
    return (int) Math.max(tail.get() - head.get(), 0);
  }
}
