package dev.lasso.blocksync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.heads.HeadsPolicy;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.runtime.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlockSyncSettingsTest {
  private static final SettingCatalogue CATALOGUE = SettingCatalogue.of(BlockSyncService.SETTINGS);

  @Test
  void anEmptyEnvironmentGivesTheDomainsNumbers() {
    Settings settings = CATALOGUE.read(Map.of());

    assertThat(BlockSyncSettings.polls(settings)).isEqualTo(PollPolicy.DEFAULT);
    assertThat(BlockSyncSettings.fold(settings)).isEqualTo(FoldPolicy.DEFAULT);
  }

  @Test
  void everyNumberCanBeSet() {
    Settings settings =
        CATALOGUE.read(
            Map.ofEntries(
                Map.entry("LASSO_POLL_MAX_UNDER_WAY", "9"),
                Map.entry("LASSO_POLL_COVERED_FACTOR", "2"),
                Map.entry("LASSO_POLL_MAX_BACKOFF", "7s"),
                Map.entry("LASSO_HEAD_FRESH", "1s"),
                Map.entry("LASSO_HEAD_FRESH_BLOCKS", "2"),
                Map.entry("LASSO_HEAD_LIVE", "3s"),
                Map.entry("LASSO_HEAD_LIVE_BLOCKS", "4"),
                Map.entry("LASSO_HEAD_GROWTH_FACTOR", "5.5"),
                Map.entry("LASSO_HEAD_GROWTH_BLOCKS", "6"),
                Map.entry("LASSO_HEAD_SHALLOW_BLOCKS", "7"),
                Map.entry("LASSO_HEAD_ABANDONED", "8s"),
                Map.entry("LASSO_HEAD_FORGOTTEN", "9s"),
                Map.entry("LASSO_HEAD_STALLED", "10s"),
                Map.entry("LASSO_HEAD_STALLED_BLOCKS", "11")));

    assertThat(BlockSyncSettings.polls(settings)).isEqualTo(new PollPolicy(9, 2, 7_000));
    assertThat(BlockSyncSettings.fold(settings))
        .isEqualTo(
            new FoldPolicy(
                new HeadsPolicy(
                    HeadsPolicy.DEFAULT.blockTimeMs(),
                    1_000,
                    2,
                    3_000,
                    4,
                    5.5,
                    6,
                    HeadsPolicy.DEFAULT.fastestBlockTimeMs(),
                    7,
                    8_000,
                    9_000,
                    HeadsPolicy.DEFAULT.minSamples()),
                10_000,
                11));
  }

  @Test
  void whatIsForgottenCannotBeFresh() {
    assertThatThrownBy(() -> CATALOGUE.read(Map.of("LASSO_HEAD_FORGOTTEN", "20s")))
        .hasMessage("LASSO_HEAD_FORGOTTEN=20s: expected at least LASSO_HEAD_FRESH, which is 30s");
  }
}
