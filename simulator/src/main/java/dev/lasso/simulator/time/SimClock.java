package dev.lasso.simulator.time;

import java.time.Duration;

/** The time a simulation runs by: real for demos, moved by hand in tests. */
public interface SimClock {

  /** Milliseconds since the epoch. */
  long millis();

  /** Runs a task once after a delay, on a thread of the clock's choosing. */
  Timer schedule(Duration delay, Runnable task);

  /** A scheduled task. */
  interface Timer {
    /** Prevents the task from running if it has not yet. */
    void cancel();
  }
}
