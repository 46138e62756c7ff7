package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.ManualClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ManualClock clock = new ManualClock(Instant.ofEpochMilli(5_000));
  private final ClientMeters meters = new ClientMeters(registry, clock);

  @Test
  void subscriptionsAndNotificationsAreCountedByKind() {
    meters.subscriptions(ClientMeters.Kind.LOGS, 3);
    meters.subscriptions(ClientMeters.Kind.LOGS, -1);
    meters.subscriptions(ClientMeters.Kind.NEW_HEADS, 1);
    meters.notifications(ClientMeters.Kind.NEW_HEADS).increment();

    assertThat(gauge("lasso.ws.subscriptions", "logs")).isEqualTo(2);
    assertThat(gauge("lasso.ws.subscriptions", "newHeads")).isEqualTo(1);
    assertThat(gauge("lasso.ws.subscriptions", "syncing")).isZero();
    assertThat(registry.get("lasso.ws.notifications").tag("kind", "newHeads").counter().count())
        .isEqualTo(1);
  }

  @Test
  void closedSocketsAreCountedByReason() {
    meters.closed(Closing.SLOW_READER);

    assertThat(closed("slow_reader")).isEqualTo(1);
    assertThat(closed("no_pong")).isZero();
  }

  @Test
  void theDelayIsThatFromTheWritingOfTheBlock() {
    meters.delivered(4_750);
    meters.delivered(6_000); // another machine's clock is ahead

    Timer delay = registry.get("lasso.ws.delay").timer();
    assertThat(delay.count()).isEqualTo(2);
    assertThat(delay.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(250);
  }

  private double gauge(String name, String kind) {
    return registry.get(name).tag("kind", kind).gauge().value();
  }

  private double closed(String reason) {
    return registry.get("lasso.ws.closed").tag("reason", reason).counter().count();
  }
}
