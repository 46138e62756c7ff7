package dev.lasso.launcher.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
  private static final Instant END = Instant.parse("2026-11-30T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "now, 2026-11-30T12:00:00Z",
    "-30m, 2026-11-30T11:30:00Z",
    "-1h30m, 2026-11-30T10:30:00Z",
    "-2d, 2026-11-28T12:00:00Z",
    "-250ms, 2026-11-30T11:59:59.750Z",
    "2026-11-30T04:12:00Z, 2026-11-30T04:12:00Z",
    "2026-11-30T04:12+02:00, 2026-11-30T02:12:00Z",
    "2026-11-30T04:12:05.25Z, 2026-11-30T04:12:05.250Z",
    "1764460800000, 2025-11-30T00:00:00Z",
    // without a zone, in that of the option: an hour ahead of UTC here
    "2026-11-30T04:12, 2026-11-30T03:12:00Z",
    "2026-11-30 04:12, 2026-11-30T03:12:00Z",
    "2026-11-30, 2026-11-29T23:00:00Z",
    "04:12, 2026-11-30T03:12:00Z",
    "4:12, 2026-11-30T03:12:00Z",
    "4:12:30, 2026-11-30T03:12:30Z",
    // an hour that summer time does not have is the one after it
    "2026-03-29T02:30, 2026-03-29T01:30:00Z",
  })
  void readsWhatPeopleWrite(String text, Instant moment) {
    assertThat(TimeText.parse(text, END, ZoneId.of("Europe/Berlin"))).isEqualTo(moment);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "30m",
        "-30",
        "-30x",
        "-m",
        "yesterday",
        "25:00",
        "2026-13-01",
        "2026-11-30T25:00",
        "12345",
        "-99999999999999999999d"
      })
  void saysWhatIsExpectedOfAnythingElse(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeText.parse(text, END, ZoneId.of("UTC")))
        .withMessageContaining("'" + text + "' is no time: expected such as -30m");
  }

  @Test
  void addsUpLengths() {
    assertThat(TimeText.duration("1d2h3m4s5ms"))
        .isEqualTo(Duration.ofDays(1).plusHours(2).plusMinutes(3).plusSeconds(4).plusMillis(5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeText.duration("5m x"))
        .withMessageContaining("is no length of time");
  }
}
