package dev.lasso.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.engine.record.RecorderPolicy;
import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.engine.upstream.HttpSettings;
import dev.lasso.engine.upstream.WsSettings;
import dev.lasso.routing.circuit.CircuitPolicy;
import dev.lasso.routing.ratelimit.RateLimitPolicy;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import dev.lasso.runtime.settings.SettingsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EngineSettingsTest {
  private static final SettingCatalogue CATALOGUE =
      SettingCatalogue.of(
          Stream.of(EngineSettings.SERVING, EngineSettings.UPSTREAM)
              .flatMap(List::stream)
              .toList());

  static Stream<Arguments> groups() {
    return Stream.of(
        group(CircuitSettings.GROUP, CircuitSettings::from, CircuitPolicy.DEFAULT),
        group(RateLimitSettings.GROUP, RateLimitSettings::from, RateLimitPolicy.DEFAULT),
        group(SelectionSettings.GROUP, SelectionSettings::from, SelectionPolicy.DEFAULT),
        group(UpstreamHttpSettings.GROUP, UpstreamHttpSettings::from, HttpSettings.DEFAULT),
        group(UpstreamWsSettings.GROUP, UpstreamWsSettings::from, WsSettings.DEFAULT),
        group(RecorderSettings.GROUP, RecorderSettings::from, RecorderPolicy.DEFAULT),
        group(EnvelopeSettings.GROUP, EnvelopeSettings::from, EnvelopeLimits.DEFAULT),
        group(AttemptSettings.GROUP, AttemptSettings::from, EnginePolicy.DEFAULT));
  }

  private static Arguments group(
      SettingGroup group, Function<Settings, Object> numbers, Object standard) {
    return argumentSet(group.title(), group, numbers, standard);
  }

  @ParameterizedTest
  @MethodSource("groups")
  void anEmptyEnvironmentGivesTheDomainsNumbers(
      SettingGroup group, Function<Settings, Object> numbers, Object standard) {
    assertThat(numbers.apply(CATALOGUE.read(Map.of()))).as(group.title()).isEqualTo(standard);
  }

  @ParameterizedTest
  @MethodSource("groups")
  void everySettingChangesANumber(
      SettingGroup group, Function<Settings, Object> numbers, Object standard) {
    assertThat(group.settings())
        .allSatisfy(
            setting ->
                assertThat(numbers.apply(changed(setting)))
                    .as(setting.name())
                    .isNotEqualTo(standard));
  }

  /** With a value close to the default, on the side that is within the bounds. */
  private static Settings changed(Setting<?> setting) {
    try {
      return CATALOGUE.read(Map.of(setting.name(), near(setting, -1)));
    } catch (SettingsException _) {
      return CATALOGUE.read(Map.of(setting.name(), near(setting, 1)));
    }
  }

  private static String near(Setting<?> setting, int step) {
    return switch (setting.defaultValue()) {
      case Integer number -> Integer.toString(number + step);
      case Long number -> Long.toString(number + step);
      case Double number -> Double.toString(number * (1 + step * 0.1));
      case Duration duration -> duration.toMillis() + step + "ms";
      case Boolean flag -> Boolean.toString(!flag);
      default -> throw new AssertionError("no other value known of " + setting);
    };
  }
}
