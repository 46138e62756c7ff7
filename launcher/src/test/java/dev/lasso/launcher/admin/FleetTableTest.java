package dev.lasso.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Region;
import dev.lasso.routing.event.Presence;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetTableTest {
  private static final long NOW_MS = 1_000_000_000;
  private static final long GONE_AFTER_MS = 15_000;

  private static Presence process(String name, long seenMsAgo, boolean stopping) {
    return new Presence(
        Region.of("local"),
        "health",
        name,
        "1.2.3",
        NOW_MS - 3_723_000,
        NOW_MS - seenMsAgo,
        stopping,
        null,
        List.of("probes-3", "probes-0", "probes-1"),
        List.of(),
        List.of(),
        Map.of("probes", 5L, "attempts", 2L),
        "degraded",
        List.of("view: Kafka is away"));
  }

  @Test
  void showsWhatEachProcessDoesAndHowFarItIs() {
    assertThat(
            FleetTable.lines(
                List.of(process("health-a", 2_000, false)),
                List.of(new Fleet.Group("lasso.health-local", "Stable", 1, Map.of("probes", 7L))),
                NOW_MS,
                GONE_AFTER_MS))
        .containsExactly(
            "ROLE    PROCESS   REGION  VERSION  UP    SEEN    STATUS    WORKS ON      LAG",
            "health  health-a  local   1.2.3    1h2m  2s ago  degraded  probes 0-1,3  7",
            "  health-a: view: Kafka is away",
            "",
            "GROUP               STATE   MEMBERS  LAG",
            "lasso.health-local  Stable  1        7");
  }

  @Test
  void tellsProcessesThatGoFromThoseThatAreGone() {
    assertThat(FleetTable.status(process("a", 0, true), false)).isEqualTo("stopping");
    assertThat(FleetTable.status(process("a", 0, true), true)).isEqualTo("gone");
  }

  @Test
  void saysThatThereIsNobody() {
    assertThat(FleetTable.lines(List.of(), List.of(), NOW_MS, GONE_AFTER_MS))
        .contains("no process has told of itself");
  }

  @ParameterizedTest
  @CsvSource({"0,0s", "59999,59s", "60000,1m0s", "3600000,1h0m", "90000000,1d1h", "-5,0s"})
  void spellsDurations(long ms, String words) {
    assertThat(FleetTable.duration(ms)).isEqualTo(words);
  }

  @Test
  void leavesWorkWithoutNumbersAsItIs() {
    assertThat(FleetTable.worksOn(List.of("everything", "probes-7")))
        .isEqualTo("everything; probes 7");
    assertThat(FleetTable.worksOn(List.of())).isEqualTo("-");
  }
}
