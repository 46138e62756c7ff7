package dev.lasso.launcher;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The end of the command that this operating system process runs. A virtual machine that is told to
 * stop halts as soon as its shutdown hooks are through, whatever its main thread is at; a hook that
 * lets the command end waits here until it has closed what it opened. Thread-safe.
 */
final class CommandEnd {
  private static final CountDownLatch REACHED = new CountDownLatch(1);

  private CommandEnd() {}

  /** Says that the command has closed everything. */
  static void reached() {
    REACHED.countDown();
  }

  /** Blocks until the command has closed everything, or for so long. */
  static void await(Duration atMost) {
    try {
      var _ = REACHED.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
