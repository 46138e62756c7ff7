package dev.lasso.routing.heads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.HeadSighting.Source;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeadsTest {
  private static final Region REGION = Region.of("eu");
  private static final ChainId CHAIN = ChainId.of(1);
  private static final HeadsPolicy POLICY = HeadsPolicy.withBlockTime(12_000);
  private static final long START = 1_700_000_000_000L;

  private ChainHeads heads = ChainHeads.NONE;
  private long nowMs = START;

  @Test
  void knowsNothingBeforeTheFirstSighting() {
    ChainState state = heads.toChainState(REGION, CHAIN, nowMs, POLICY);

    assertThat(state.consensusHeight()).isNull();
    assertThat(state.blockTimeMs()).isNull();
    assertThat(state.heights()).isEmpty();
  }

  @Test
  void withThreeTakesTheHighestHeightThatTwoHaveReached() {
    see("a", 1_000);
    see("b", 1_001);
    see("c", 1_003);

    assertThat(consensus()).isEqualTo(1_001);
  }

  @Test
  void oneAbsurdSampleAmongThreeChangesNothing() {
    settle(1_000, "a", "b", "c");

    see("c", 9_999_999);
    assertThat(consensus()).isEqualTo(1_003);
    assertThat(head("c").quarantined()).isTrue();
    nowMs += 12_000;
    see("a", 1_004);
    see("b", 1_004);
    see("c", 1_004);

    assertThat(consensus()).isEqualTo(1_004);
    assertThat(head("c").quarantined()).isFalse();
  }

  @Test
  void aFreshNodeAtHeightFiveDoesNotHideTheChain() {
    see("young", 5);
    see("grown", 1_000);

    assertThat(consensus()).isEqualTo(1_000);
    assertThat(head("grown").quarantined()).isFalse();
  }

  @Test
  void aStuckProviderDoesNotHoldTheChainBackNotEvenOneOfTwo() {
    settle(1_000, "stuck", "good");
    for (int i = 1; i <= 20; i++) {
      nowMs += 12_000;
      see("stuck", 1_003);
      see("good", 1_003 + i);
    }

    assertThat(consensus()).isEqualTo(1_023);
  }

  @Test
  void twoStuckProvidersOfThreeDoNotHoldTheChainBack() {
    settle(1_000, "stuck", "stuck-too", "good");
    for (int i = 1; i <= 20; i++) {
      nowMs += 12_000;
      see("stuck", 1_003);
      see("stuck-too", 1_003);
      see("good", 1_003 + i);
    }

    assertThat(consensus()).isEqualTo(1_023);
  }

  @Test
  void anImplausibleJumpOfOneOfTwoWaitsForTheOther() {
    settle(1_000, "a", "b");

    see("a", 2_000);
    assertThat(consensus()).isEqualTo(1_003);
    see("b", 2_000);

    assertThat(consensus()).isEqualTo(2_000);
  }

  @Test
  void aSingleProvidersJumpIsBelievedOnceItHeldAndNobodyContradicts() {
    settle(1_000, "only");
    see("only", 5_000);
    assertThat(consensus()).isEqualTo(1_003);

    for (int i = 0; i < 6; i++) {
      nowMs += 12_000;
      see("only", 5_000 + i);
    }

    assertThat(consensus()).isEqualTo(5_005);
  }

  @Test
  void aResetChainIsFollowedDownAtOnce() {
    settle(1_000, "a", "b", "c");

    see("a", 3);
    assertThat(consensus()).isEqualTo(1_003);
    see("b", 3);

    assertThat(consensus()).isEqualTo(3);
  }

  @Test
  void oneLiarDoesNotLowerTheHeight() {
    settle(1_000, "a", "b", "liar");
    for (int i = 1; i <= 20; i++) {
      nowMs += 12_000;
      see("a", 1_003 + i);
      see("b", 1_003 + i);
      see("liar", 7 + i);
    }

    assertThat(consensus()).isEqualTo(1_023);
  }

  @Test
  void aBalancerThatShowsAnOlderBackendForAMomentLowersNothing() {
    settle(1_000, "a", "b", "c");

    see("a", 1_002);
    see("b", 1_002);
    assertThat(consensus()).isEqualTo(1_003);
    nowMs += 12_000;
    see("a", 1_004);
    see("b", 1_004);

    assertThat(consensus()).isEqualTo(1_004);
  }

  @Test
  void aShallowFallThatHoldsIsBelieved() {
    settle(1_000, "a", "b", "c");
    for (int i = 0; i < 4; i++) {
      nowMs += 6_000;
      see("a", 1_002);
      see("b", 1_002);
      see("c", 1_002);
    }

    assertThat(consensus()).isEqualTo(1_002);
  }

  @Test
  void syncingNodesDoNotCount() {
    settle(1_000, "a", "b");
    see("c", 500, true);

    assertThat(consensus()).isEqualTo(1_003);
    assertThat(head("c").syncing()).isTrue();
  }

  @Test
  void nodesFarBehindThatWereNeverThereDoNotPullTheChainDown() {
    settle(1_000, "a", "b");
    for (int i = 1; i <= 30; i++) {
      nowMs += 12_000;
      see("a", 1_003 + i);
      if (i < 10) {
        see("b", 1_003 + i);
      }
      see("behind-1", 500 + i * 2);
      see("behind-2", 500 + i * 2);
      see("behind-3", 500 + i * 2);
    }

    assertThat(consensus()).isGreaterThanOrEqualTo(1_012);
  }

  @Test
  void aHeightThatNobodyStandsAtIsGivenUp() {
    settle(1_000, "a", "b");
    nowMs += 700_000;
    heads = Heads.evolve(heads, nowMs, POLICY);
    assertThat(heads.instances()).isEmpty();
    assertThat(consensus()).isEqualTo(1_003);

    see("new", 12);

    assertThat(consensus()).isEqualTo(12);
  }

  @Test
  void aLateSightingChangesNothing() {
    settle(1_000, "a", "b", "c");
    ChainHeads before = heads;
    HeadSighting late = sighting("a", 900, nowMs - 5_000, 0, false, null, null);

    assertThat(Heads.evolve(heads, late, nowMs, POLICY)).isEqualTo(before);
  }

  @Test
  void aPollAskedBeforeANewerHeadWasSeenDoesNotLowerTheInstance() {
    settle(1_000, "a", "b", "c");
    see("a", 1_004);
    nowMs += 50;
    heads = Heads.evolve(heads, sighting("a", 1_003, nowMs, 200, false, null, null), nowMs, POLICY);

    assertThat(head("a").height()).isEqualTo(1_004);
    assertThat(head("a").seenAtMs()).isEqualTo(nowMs);
  }

  @Test
  void aProcessWithAFastClockDoesNotMakeOthersStale() {
    settle(1_000, "a", "b", "c");
    heads =
        Heads.evolve(
            heads, sighting("a", 1_004, nowMs + 3_600_000, 0, false, null, null), nowMs, POLICY);
    see("b", 1_004);

    assertThat(head("a").seenAtMs()).isEqualTo(nowMs);
    assertThat(consensus()).isEqualTo(1_004);
  }

  @Test
  void measuresTheBlockTimeAsMedianPerBlockFromFiveSamplesOn() {
    settle(1_000, "a", "b", "c");
    for (int i = 1; i <= 3; i++) {
      assertThat(state().blockTimeMs())
          .as("before sample %d", i + 3)
          .isEqualTo(i < 3 ? null : 12_000.0);
      nowMs += 2_000;
      see("a", 1_003 + i);
      see("b", 1_003 + i);
    }
    for (int i = 1; i <= 10; i++) {
      nowMs += 4_000;
      see("a", 1_006 + 2 * i);
      see("b", 1_006 + 2 * i);
    }

    assertThat(state().blockTimeMs()).isCloseTo(2_000, within(1.0));
  }

  @Test
  void blocksOfOneMomentHaveTheLeastBlockTime() {
    settle(1_000, "a", "b", "c");
    long first = consensus();
    for (int i = 1; i <= 40; i++) {
      see("a", first + i);
      see("b", first + i);
    }

    assertThat(consensus()).isEqualTo(first + 40);
    assertThat(state().blockTimeMs()).isEqualTo(1);
  }

  @Test
  void aWrongExpectedBlockTimeDoesNotHoldBackASingleProvider() {
    see("only", 1_000);
    for (int i = 1; i <= 40; i++) {
      nowMs += 12_000;
      see("only", 1_000 + 48 * i);
    }

    assertThat(consensus()).isEqualTo(1_000 + 48 * 40);
    assertThat(state().blockTimeMs()).isCloseTo(250, within(1.0));
  }

  @Test
  void finalityIsTheHighestPlausibleOneAndDoesNotFall() {
    settle(1_000, "a", "b", "c");
    seeFinality("a", 990, 980);
    seeFinality("b", 991, 981);
    seeFinality("c", 9_999, 9_998);
    assertThat(state().safe()).isEqualTo(991);
    assertThat(state().finalized()).isEqualTo(981);

    seeFinality("a", 950, 940);
    seeFinality("b", 950, 940);

    assertThat(state().finalized()).isEqualTo(981);
  }

  @Test
  void finalityFallsWithTheChain() {
    settle(1_000, "a", "b", "c");
    seeFinality("a", 990, 980);
    see("a", 3);
    see("b", 3);
    see("c", 3);

    assertThat(consensus()).isEqualTo(3);
    assertThat(state().finalized()).isNull();
  }

  @Test
  void aChainThatAClockAheadFoldedGoesOnWhenTheTimeIsRight() {
    settle(1_000, "a", "b");
    nowMs -= 3_600_000;

    heads = heads.withoutFuture(nowMs);
    assertThat(head("a").seenAtMs()).isEqualTo(nowMs);
    assertThat(head("a").roseAtMs()).isEqualTo(nowMs);
    assertThat(state().consensusAtMs()).isEqualTo(nowMs);
    for (int i = 1; i <= 3; i++) {
      nowMs += 12_000;
      see("a", 1_003 + i);
      see("b", 1_003 + i);
    }

    assertThat(consensus()).isEqualTo(1_006);
    assertThat(state().blockTimeMs()).isEqualTo(12_000);
  }

  @Test
  void whatTheFutureBroughtKeepsItsAgeAndWhatIsRightStays() {
    see("right", 1_000);
    nowMs += 3_600_000;
    see("old", 1_000);
    nowMs += 60_000;
    see("new", 1_005);
    nowMs -= 3_600_000;

    heads = heads.withoutFuture(nowMs);

    assertThat(head("new").seenAtMs()).isEqualTo(nowMs);
    assertThat(head("old").seenAtMs()).isEqualTo(nowMs - 60_000);
    assertThat(head("right").seenAtMs()).isEqualTo(nowMs - 60_000);
    assertThat(heads.withoutFuture(nowMs)).isSameAs(heads);
  }

  @Test
  void aQuarantineAndAFallOfTheFutureEndAsTheyWould() {
    settle(1_000, "a", "b", "liar");
    see("liar", 9_999_999);
    see("a", 1_002);
    see("b", 1_002);
    nowMs -= 3_600_000;
    heads = heads.withoutFuture(nowMs);
    assertThat(head("liar").quarantinedSinceMs()).isEqualTo(nowMs);

    nowMs += 12_000;
    see("a", 1_002);
    see("b", 1_002);
    see("liar", 1_002);

    assertThat(consensus()).isEqualTo(1_002);
    assertThat(head("liar").quarantined()).isFalse();
  }

  /** Three blocks at the chain's pace, so that the height is established and instances are live. */
  private void settle(long height, String... instances) {
    for (int i = 0; i <= 3; i++) {
      nowMs += 12_000;
      for (String instance : instances) {
        see(instance, height + i);
      }
    }
  }

  private void see(String instance, long height) {
    see(instance, height, false);
  }

  private void see(String instance, long height, boolean syncing) {
    heads =
        Heads.evolve(
            heads, sighting(instance, height, nowMs, 0, syncing, null, null), nowMs, POLICY);
  }

  private void seeFinality(String instance, long safe, long finalized) {
    long height = head(instance).height();
    heads =
        Heads.evolve(
            heads, sighting(instance, height, nowMs, 0, false, safe, finalized), nowMs, POLICY);
  }

  private long consensus() {
    return Objects.requireNonNull(state().consensusHeight());
  }

  private ChainState state() {
    return heads.toChainState(REGION, CHAIN, nowMs, POLICY);
  }

  private InstanceHead head(String instance) {
    return Objects.requireNonNull(heads.instance(InstanceId.of(instance)));
  }

  static HeadSighting sighting(
      String instance,
      long height,
      long seenAtMs,
      double latencyMs,
      boolean syncing,
      @Nullable Long safe,
      @Nullable Long finalized) {
    return new HeadSighting(
        REGION,
        "process",
        CHAIN,
        InstanceId.of(instance),
        height,
        null,
        null,
        null,
        Source.HTTP_POLL,
        seenAtMs,
        latencyMs,
        syncing,
        safe,
        finalized);
  }
}
