package dev.lasso.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.settings.CircuitSettings;
import dev.lasso.engine.settings.RateLimitSettings;
import dev.lasso.routing.health.HealthPolicy;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.runtime.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthSettingsTest {
  private static final SettingCatalogue CATALOGUE = SettingCatalogue.of(HealthService.SETTINGS);

  @Test
  void anEmptyEnvironmentGivesTheDomainsNumbers() {
    assertThat(HealthSettings.policy(CATALOGUE.read(Map.of()))).isEqualTo(HealthPolicy.DEFAULT);
  }

  @Test
  void theFleetsCircuitsAndDeadlinesAreThoseOfAGateway() {
    Settings settings =
        CATALOGUE.read(Map.of("LASSO_CIRCUIT_FAILURES", "7", "LASSO_RATE_LIMIT_COOL_DOWN", "3s"));

    HealthPolicy policy = HealthSettings.policy(settings);

    assertThat(policy.circuit().failuresToOpen()).isEqualTo(7);
    assertThat(policy.circuit()).isEqualTo(CircuitSettings.from(settings));
    assertThat(policy.rateLimit().coolDownMs()).isEqualTo(3_000);
    assertThat(policy.rateLimit()).isEqualTo(RateLimitSettings.from(settings));
  }

  @Test
  void itsOwnNumbersCanBeSet() {
    HealthPolicy policy =
        HealthSettings.policy(
            CATALOGUE.read(
                Map.of(
                    "LASSO_HEALTH_EVIDENCE_AGE", "20s",
                    "LASSO_LEARNED_LIMIT_AGE", "1h",
                    "LASSO_LEARNED_LIMITS", "8",
                    "LASSO_HEALTH_DEGRADED_AFTER", "2")));

    assertThat(policy)
        .extracting(
            HealthPolicy::staleMs,
            HealthPolicy::learnedMs,
            HealthPolicy::maxLearned,
            HealthPolicy::degradedAfter)
        .containsExactly(20_000L, 3_600_000L, 8, 2);
  }
}
