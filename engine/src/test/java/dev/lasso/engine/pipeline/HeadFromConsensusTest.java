package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.settings.AttemptSettings;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.facts.MethodTable;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.runtime.settings.SettingCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * {@code LASSO_HEAD_FROM_CONSENSUS}. The chain has a block every 12 s and stood at 1000 at 0 ms.
 */
class HeadFromConsensusTest {
  private static final Region REGION = Region.of("local");
  private static final ChainId CHAIN = ChainId.of(1);

  @Test
  void aFreshConsensusHeightIsTheHead() {
    assertThat(head("true", RequestOptions.NONE, 5_000)).isEqualTo("\"0x3e8\"");
  }

  @Test
  void aProviderIsAskedUnlessTheSettingIsOn() {
    assertThat(head("false", RequestOptions.NONE, 5_000)).isNull();
  }

  @Test
  void aProviderIsAskedOnceTheHeightIsOlderThanOneAndAHalfBlocksAndASecond() {
    assertThat(head("true", RequestOptions.NONE, 19_000)).isEqualTo("\"0x3e8\"");
    assertThat(head("true", RequestOptions.NONE, 19_001)).isNull();
  }

  @Test
  void aProviderThatTheCallerNamesIsAsked() {
    assertThat(head("true", options(ProviderId.of("a"), -1), 5_000)).isNull();
  }

  @Test
  void aCallerThatHasSeenAHigherBlockIsNotToldTheLowerOne() {
    assertThat(head("true", options(null, 1_000), 5_000)).isEqualTo("\"0x3e8\"");
    assertThat(head("true", options(null, 1_001), 5_000)).isNull();
  }

  private static RequestOptions options(@Nullable ProviderId provider, long minBlock) {
    return new RequestOptions(
        null, provider, null, Set.of(), false, minBlock, null, RequestOptions.Metadata.NONE);
  }

  private static @Nullable String head(String setting, RequestOptions options, long nowMs) {
    EnginePolicy policy =
        AttemptSettings.from(
            SettingCatalogue.of(List.of(AttemptSettings.GROUP))
                .read(Map.of("LASSO_HEAD_FROM_CONSENSUS", setting)));
    var result =
        LocalAnswers.result(target(options), MethodTable.of("eth_blockNumber"), policy, nowMs);
    return result == null ? null : result.toString();
  }

  private static RpcTarget target(RequestOptions options) {
    SnapshotFold fold = new SnapshotFold(REGION, _ -> null);
    fold.apply(
        new Profile(
            ProfileSlug.of("default"),
            "Default",
            0,
            0,
            List.of(
                ChainProfile.of(
                    CHAIN,
                    ChainName.of("ethereum"),
                    List.of(Provider.of(ProviderId.of("a"), "http://a.example"))))));
    fold.apply(new ChainState(REGION, CHAIN, 0, 1_000L, 0, null, null, null, List.of()));
    ActiveProfile profile =
        Objects.requireNonNull(fold.snapshot(SnapshotPosition.START).profile("default"));
    ActiveChain chain = Objects.requireNonNull(profile.chain("ethereum"));
    return new RpcTarget(profile, chain, options);
  }
}
