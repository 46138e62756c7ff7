package dev.lasso.engine.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Region;
import dev.lasso.routing.event.Presence;
import dev.lasso.schemas.PresenceKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Gone after 15 s, forgotten after 60 s. */
class KnownProcessesTest {
  private static final Region HERE = Region.of("here");

  private final KnownProcesses processes = new KnownProcesses(15_000, 60_000);

  @Test
  void whoeverIsSilentIsGoneAndLaterForgotten() {
    heard(0, "killed");
    for (long second = 0; second <= 61; second += 3) {
      heard(second, "living");
      assertThat(alive(second)).contains("living").hasSize(second < 15 ? 2 : 1);
      assertThat(forgotten(second)).isEmpty();
    }
    heard(63, "living");
    assertThat(forgotten(63)).containsExactly("killed");

    processes.leave(key("killed"));
    heard(64, "living");
    assertThat(forgotten(64)).isEmpty();
  }

  @Test
  void theTimeSinceTheStartCountsForThoseWhoDiedBefore() {
    processes.read(key("killed"), presence("killed", -100_000_000), -100_000_000, ns(0));
    heard(0, "living");
    assertThat(alive(0)).containsExactly("living");
    assertThat(forgotten(0)).isEmpty();
  }

  @Test
  void aClockThatJumpsMakesNobodyForgotten() {
    heard(0, "one");
    processes.read(key("two"), presence("two", 7_200_000), 7_200_000, ns(3));
    processes.heard(7_200_000, ns(3));
    assertThat(processes.forgotten(7_200_000, ns(3), null)).isEmpty();
    heard(20, "one", "two");
    assertThat(forgotten(20)).isEmpty();
  }

  @Test
  void whoeverWasStoppedForLongForgetsNobodyBeforeAllHadTimeToBeHeard() {
    heard(0, "this", "other");
    assertThat(forgotten(100)).as("nothing read for long").isEmpty();

    heard(100, "this");
    assertThat(forgotten(100)).isEmpty();
    heard(103, "this", "other");
    heard(116, "this", "other");
    assertThat(forgotten(116)).isEmpty();
    assertThat(alive(116)).containsExactlyInAnyOrder("this", "other");
  }

  @Test
  void nobodyIsForgottenWhileKafkaIsAway() {
    heard(0, "killed");
    for (long second = 0; second <= 63; second += 3) {
      heard(second, "living");
    }
    assertThat(processes.forgotten(ms(63), ns(63), ms(62))).isEmpty();
    assertThat(processes.alive(ms(90), ms(62))).extracting(Presence::process).contains("living");
  }

  private void heard(long second, String... names) {
    for (String name : names) {
      processes.read(key(name), presence(name, ms(second)), ms(second), ns(second));
    }
    processes.heard(ms(second), ns(second));
  }

  private List<String> alive(long second) {
    return processes.alive(ms(second), null).stream().map(Presence::process).toList();
  }

  private List<String> forgotten(long second) {
    return processes.forgotten(ms(second), ns(second), null).stream()
        .map(PresenceKey::process)
        .toList();
  }

  private static long ms(long second) {
    return second * 1_000;
  }

  private static long ns(long second) {
    return second * 1_000_000_000;
  }

  private static PresenceKey key(String name) {
    return new PresenceKey(HERE, "gateway", name);
  }

  private static Presence presence(String name, long atMs) {
    return new Presence(
        HERE, "gateway", name, "1", 0, atMs, false, null, List.of(), List.of(), List.of(), Map.of(),
        "ready", List.of());
  }
}
