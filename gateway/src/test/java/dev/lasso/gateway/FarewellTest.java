package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.runtime.Condition;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FarewellTest {
  private static final Duration LONG = Duration.ofDays(1);

  private final Farewell farewell = new Farewell();

  @Test
  void isReadyUntilItBegins() throws Exception {
    farewell.connected();
    assertThat(farewell.begun()).isFalse();
    assertThat(farewell.condition()).isEqualTo(Condition.ready());
    farewell.disconnected();
    farewell.say(LONG);
    assertThat(farewell.begun()).isTrue();
    assertThat(farewell.condition()).isEqualTo(Condition.notReady("stopping"));
  }

  @Test
  void lastsUntilTheLastCallerHasGone() throws Exception {
    farewell.connected();
    farewell.connected();
    Thread callers =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!farewell.begun()) {
                    Thread.onSpinWait();
                  }
                  farewell.disconnected();
                  farewell.disconnected();
                });
    farewell.say(LONG);
    callers.join();
    assertThat(farewell.begun()).isTrue();
  }

  @Test
  void lastsNoLongerThanItMay() throws Exception {
    farewell.connected();
    farewell.say(Duration.ofMillis(1));
    assertThat(farewell.begun()).isTrue();
  }
}
