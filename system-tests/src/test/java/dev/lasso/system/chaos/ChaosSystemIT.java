package dev.lasso.system.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.system.chaos.FaultScript.Pace;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A slice of what {@code bin/chaos} does for ten minutes. */
class ChaosSystemIT {
  /** Its script kills the broker and a gateway, stops a subscription-service, restarts others. */
  private static final long SEED = Long.getLong("lasso.chaos.seed", 37);

  /** More than is promised, and answers may be late, for a machine that is short of processors. */
  private static final Duration CURRENT_WITHIN = Duration.ofSeconds(90);

  private static final Pace SHORT =
      new Pace(
          Duration.ofSeconds(16),
          Duration.ofSeconds(1),
          Duration.ofSeconds(4),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(3));

  @Test
  void noAnswerIsLostOrWrongAndNoEventMissingWhileProcessesDieAndStand(@TempDir Path directory)
      throws InterruptedException {
    ChaosReport report =
        new ChaosRun(
                SEED,
                new ChaosRun.Terms(SHORT, false, true, CURRENT_WITHIN),
                directory,
                System.out::println)
            .run();
    System.out.println(report.table());
    assertThat(report.failures()).isEmpty();
  }
}
