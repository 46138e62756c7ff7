package dev.lasso.simulator.time;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until {@link #advance}d. Tasks run on the advancing thread in order of
 * their due time, then of their scheduling. Thread-safe.
 */
public final class ManualSimClock implements SimClock {

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::order));
  private long now;
  private long scheduled;

  /** A clock that shows the given milliseconds since the epoch. */
  public ManualSimClock(long startMillis) {
    this.now = startMillis;
  }

  private record Task(long due, long order, Runnable action) {}

  @Override
  public synchronized long millis() {
    return now;
  }

  @Override
  public synchronized Timer schedule(Duration delay, Runnable task) {
    Task entry = new Task(now + Math.max(0, delay.toMillis()), scheduled++, task);
    tasks.add(entry);
    return () -> {
      synchronized (this) {
        tasks.remove(entry);
      }
    };
  }

  /** Moves time forward and runs everything that becomes due, including what that schedules. */
  public void advance(Duration duration) {
    long target = millis() + duration.toMillis();
    for (Task task = nextUntil(target); task != null; task = nextUntil(target)) {
      task.action().run();
    }
  }

  private synchronized @Nullable Task nextUntil(long target) {
    Task next = tasks.peek();
    if (next == null || next.due() > target) {
      now = target;
      return null;
    }
    tasks.remove();
    now = Math.max(now, next.due());
    return next;
  }
}
