package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.benchmarks.subscriptions.SubscriptionsHarness;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * What {@code benchmarks/subscriptions} checks is no matter of size: one upstream subscription at
 * each provider, one {@code eth_getLogs} a block, no gap and no repetition at any client, and a
 * slow reader that is closed and resumes.
 */
class SubscriptionLoadSystemIT {
  @Test
  void fewClientsAreServedAsThousandsAre() {
    SubscriptionsHarness harness = new SubscriptionsHarness();
    int exitCode =
        new CommandLine(harness)
            .execute(
                "--home=..",
                "--clients=40",
                "--blocks=8",
                "--block-ms=300",
                "--slow=1",
                "--slow-subscriptions=100",
                // some blocks' worth: one that reads as fast as it can is never that far behind
                "--set=LASSO_WS_MAX_QUEUE_BYTES=16777216");
    assertThat(harness.faults()).isEmpty();
    assertThat(exitCode).isZero();
  }
}
