package dev.lasso.runtime.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingCatalogueTest {
  private enum Mode {
    STRICT,
    LENIENT
  }

  private static final Setting<Integer> PORT =
      Setting.integer("LASSO_PORT", 4000, 0, 65_535, "TCP port", "Where it listens.");
  private static final Setting<Long> BUFFER =
      Setting.longInteger(
          "LASSO_BUFFER_BYTES", 1L << 32, 0, Long.MAX_VALUE, "bytes", "How much it holds.");
  private static final Setting<Double> FLOOR =
      Setting.decimal("LW_EXPLORE_FLOOR", 0.05, 0, 1, "probability", "Least chance of selection.");
  private static final Setting<Duration> WINDOW =
      Setting.duration(
          "LASSO_WINDOW",
          Duration.ofDays(7),
          Duration.ZERO,
          Duration.ofDays(30),
          "How far back it remembers.");
  private static final Setting<Duration> LONGEST_WINDOW =
      Setting.duration(
          "LASSO_LONGEST_WINDOW",
          Duration.ofDays(14),
          Duration.ZERO,
          Duration.ofDays(60),
          "How far back it could remember.");
  private static final Setting<Boolean> LOCAL =
      Setting.flag("LASSO_LOCAL", false, "Whether it answers itself.");
  private static final Setting<Mode> MODE =
      Setting.choice("LASSO_MODE", Mode.STRICT, "How it judges.");
  private static final Setting<String> REGION =
      Setting.text("LASSO_REGION", "local", "Where it is.");
  private static final Setting<String> TOKEN =
      Setting.secret("LASSO_ADMIN_TOKEN", "Who may change profiles.");

  private static final SettingCatalogue CATALOGUE =
      SettingCatalogue.of(
              List.of(
                  group(PORT, BUFFER, FLOOR, LOCAL, MODE, REGION, TOKEN),
                  group(WINDOW, LONGEST_WINDOW).notBelow(LONGEST_WINDOW, WINDOW)))
          .withOpenPrefix("LASSO_KAFKA_", "Properties of Kafka's clients.");

  private static SettingGroup group(Setting<?>... settings) {
    return SettingGroup.of("Some", "For tests.", List.of(settings));
  }

  @Test
  void anEmptyEnvironmentGivesTheDefaults() {
    Settings settings = CATALOGUE.read(Map.of("PATH", "/bin"));

    assertThat(settings.get(PORT)).isEqualTo(4000);
    assertThat(settings.get(BUFFER)).isEqualTo(4_294_967_296L);
    assertThat(settings.get(FLOOR)).isEqualTo(0.05);
    assertThat(settings.get(WINDOW)).isEqualTo(Duration.ofDays(7));
    assertThat(settings.get(LOCAL)).isFalse();
    assertThat(settings.get(MODE)).isEqualTo(Mode.STRICT);
    assertThat(settings.get(REGION)).isEqualTo("local");
    assertThat(settings.get(TOKEN)).isEmpty();
  }

  @Test
  void everySettingCanBeSet() {
    Settings settings =
        CATALOGUE.read(
            Map.of(
                "LASSO_PORT", " 0 ",
                "LASSO_BUFFER_BYTES", "5000000000",
                "LW_EXPLORE_FLOOR", "0.5",
                "LASSO_WINDOW", "36h",
                "LASSO_LOCAL", "TRUE",
                "LASSO_MODE", "lenient",
                "LASSO_REGION", "eu-west",
                "LASSO_ADMIN_TOKEN", "hunter2"));

    assertThat(settings.get(PORT)).isZero();
    assertThat(settings.get(BUFFER)).isEqualTo(5_000_000_000L);
    assertThat(settings.get(FLOOR)).isEqualTo(0.5);
    assertThat(settings.get(WINDOW)).isEqualTo(Duration.ofHours(36));
    assertThat(settings.get(LOCAL)).isTrue();
    assertThat(settings.get(MODE)).isEqualTo(Mode.LENIENT);
    assertThat(settings.get(REGION)).isEqualTo("eu-west");
    assertThat(settings.get(TOKEN)).isEqualTo("hunter2");
  }

  @Test
  void allFaultsAreToldAtOnce() {
    assertThatThrownBy(
            () ->
                CATALOGUE.read(
                    Map.of(
                        "LASSO_PORT",
                        "70000",
                        "LASSO_MODE",
                        "harsh",
                        "LASSO_REGOIN",
                        "eu",
                        "LASSO_FOO",
                        "1")))
        .isInstanceOfSatisfying(
            SettingsException.class,
            e ->
                assertThat(e.problems())
                    .containsExactlyInAnyOrder(
                        "LASSO_PORT='70000': expected a whole number from 0 to 65535",
                        "LASSO_MODE='harsh': expected one of strict, lenient",
                        "LASSO_REGOIN: unknown setting; did you mean LASSO_REGION?",
                        "LASSO_FOO: unknown setting; did you mean LASSO_MODE?"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "250, 250",
    "250ms, 250",
    "30 s, 30000",
    "5m, 300000",
    "1h, 3600000",
    "7d, 604800000"
  })
  void durationsHaveUnits(String written, long ms) {
    assertThat(CATALOGUE.read(Map.of("LASSO_WINDOW", written)).get(WINDOW))
        .isEqualTo(Duration.ofMillis(ms));
  }

  @ParameterizedTest
  @CsvSource({"-1s", "1.5s", "ten", "5 weeks", "''", "31d", "9223372036854775807d"})
  void otherDurationsAreRefused(String written) {
    assertThatThrownBy(() -> CATALOGUE.read(Map.of("LASSO_WINDOW", written)))
        .hasMessage("LASSO_WINDOW='" + written + "': expected a duration from 0ms to 30d");
  }

  @ParameterizedTest
  @CsvSource({
    "15d, , 'LASSO_WINDOW=15d: expected at most LASSO_LONGEST_WINDOW, which is 14d'",
    ", 1h, 'LASSO_LONGEST_WINDOW=1h: expected at least LASSO_WINDOW, which is 7d'",
    "2h, 1h, 'LASSO_LONGEST_WINDOW=1h: expected at least LASSO_WINDOW, which is 2h'"
  })
  void settingsThatContradictEachOtherAreRefused(
      @Nullable String window, @Nullable String longest, String problem) {
    Map<String, String> environment = new HashMap<>();
    if (window != null) {
      environment.put("LASSO_WINDOW", window);
    }
    if (longest != null) {
      environment.put("LASSO_LONGEST_WINDOW", longest);
    }

    assertThatThrownBy(() -> CATALOGUE.read(environment)).hasMessage(problem);
  }

  @ParameterizedTest
  @CsvSource({"NaN", "1.01", "-0.1", "Infinity"})
  void aNumberOutOfRangeIsRefused(String written) {
    assertThatThrownBy(() -> CATALOGUE.read(Map.of("LW_EXPLORE_FLOOR", written)))
        .isInstanceOf(SettingsException.class);
  }

  @Test
  void openPrefixesBelongToSomebodyElse() {
    assertThat(CATALOGUE.read(Map.of("LASSO_KAFKA_SASL_MECHANISM", "PLAIN")).get(PORT))
        .isEqualTo(4000);
  }

  @Test
  void secretsAreNeverShown() {
    Settings settings = CATALOGUE.read(Map.of("LASSO_ADMIN_TOKEN", "hunter2"));

    assertThat(settings.toString())
        .contains("LASSO_ADMIN_TOKEN=***", "LASSO_PORT=4000")
        .doesNotContain("hunter2");
  }

  @Test
  void theReferencePageNamesEverything() {
    assertThat(CATALOGUE.markdown())
        .startsWith("### Some\n\nFor tests.\n\n| variable | default | unit | value | meaning |\n")
        .contains(
            "| `LASSO_PORT` | `4000` | TCP port | a whole number from 0 to 65535 | Where it"
                + " listens. |\n")
        .contains("| `LASSO_WINDOW` | `7d` | duration |")
        .contains("| `LASSO_ADMIN_TOKEN` |  |  | a secret | Who may change profiles. |\n")
        .contains("| `LASSO_KAFKA_*` |");
  }

  @Test
  void oneNameIsDeclaredOnce() {
    assertThatThrownBy(
            () ->
                SettingCatalogue.of(
                    List.of(group(PORT), group(Setting.text("LASSO_PORT", "", "Again.")))))
        .hasMessageContaining("LASSO_PORT");
  }

  @Test
  void aGroupThatSeveralRolesListCountsOnce() {
    SettingGroup shared = group(PORT);

    assertThat(SettingCatalogue.of(List.of(shared, shared)).markdown())
        .containsOnlyOnce("LASSO_PORT");
  }

  @Test
  void aStrangerIsNotAnswered() {
    Settings settings = SettingCatalogue.of(List.of(group(PORT))).read(Map.of());

    assertThatThrownBy(() -> settings.get(REGION))
        .hasMessageContaining("LASSO_REGION is not in the catalogue");
  }
}
