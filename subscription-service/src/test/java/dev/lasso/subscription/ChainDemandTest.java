package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChainDemandTest {
  private static final ChainId CHAIN = ChainId.of(1);

  private final AtomicInteger beginnings = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();
  private Future<StartingPoint> head = Future.succeededFuture(new StartingPoint(1, "0x1", 0));
  private final ChainDemand demand =
      new ChainDemand(
          _ -> {
            beginnings.incrementAndGet();
            return head;
          },
          changes::incrementAndGet);

  @Test
  void theFirstSubscriberBeginsTheStreamAndTheLastOneEndsIt() {
    demand.acquire(CHAIN, false);
    demand.acquire(CHAIN, false);

    assertThat(demand.heads()).containsExactly(CHAIN);
    assertThat(beginnings).hasValue(1);
    assertThat(changes).hasValue(1);

    demand.release(CHAIN, false);
    demand.release(CHAIN, false);

    assertThat(demand.heads()).isEmpty();
    assertThat(changes).hasValue(2);

    demand.acquire(CHAIN, false);

    assertThat(beginnings).hasValue(2);
  }

  @Test
  void logsAreWantedWhileASubscriberToLogsIsThere() {
    demand.acquire(CHAIN, false);
    demand.acquire(CHAIN, true);

    assertThat(demand.wantsLogs(CHAIN)).isTrue();
    assertThat(demand.logs()).containsExactly(CHAIN);
    assertThat(changes).hasValue(2);

    demand.release(CHAIN, true);

    assertThat(demand.wantsLogs(CHAIN)).isFalse();
    assertThat(demand.heads()).containsExactly(CHAIN);
  }

  @Test
  void afterAFailureTheNextSubscriberTriesAgain() {
    head = Future.failedFuture("nobody answers");
    assertThat(demand.acquire(CHAIN, false).failed()).isTrue();
    head = Future.succeededFuture(new StartingPoint(1, "0x1", 0));

    assertThat(demand.acquire(CHAIN, false).succeeded()).isTrue();
    assertThat(beginnings).hasValue(2);
  }
}
