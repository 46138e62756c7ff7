package dev.lasso.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waiting in integration tests, always with a deadline: {@code Await.until(() ->
 * assertThat(view).contains(...))}. The deadline is long because the machine may be busy; the poll
 * is short because it usually is not.
 */
public final class Await {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(20);

  private Await() {}

  /** An assertion that may fail for a while. */
  @FunctionalInterface
  public interface Assertion {
    /** Throws an {@link AssertionError} while what is awaited is not so. */
    void check() throws Exception;
  }

  /**
   * Repeats {@code assertion} until it passes; after 30 s its last failure is the test's failure.
   */
  public static void until(Assertion assertion) {
    await().untilAsserted(assertion::check);
  }

  /**
   * Awaitility with the project's deadline and poll interval, for anything {@link #until} can't
   * say.
   */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(DEADLINE).pollDelay(Duration.ZERO).pollInterval(POLL);
  }
}
