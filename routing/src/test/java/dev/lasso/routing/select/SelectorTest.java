package dev.lasso.routing.select;

import static dev.lasso.routing.select.RoutesFixture.NOW_MS;
import static dev.lasso.routing.select.RoutesFixture.names;
import static dev.lasso.routing.select.RoutesFixture.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.MethodPattern;
import dev.lasso.routing.profile.ProviderLimits;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SelectorTest {
  private static final SelectionRequest CALL =
      SelectionRequest.of("eth_call", "call", StrategyName.PRIORITY);

  private static Map<String, RejectionReason> reasons(Plan plan) {
    return plan.rejections().stream()
        .collect(
            Collectors.toMap(
                rejection ->
                    rejection.channel().channel().provider()
                        + "/"
                        + rejection.channel().channel().transport().word(),
                Plan.Rejection::reason));
  }

  private static SelectionRequest request(
      @Nullable Transport transport,
      long fromBlock,
      long toBlock,
      long minBlock,
      boolean archival,
      Set<ProviderId> only,
      Set<ProviderId> excluded) {
    return new SelectionRequest(
        "eth_getLogs",
        "logs",
        StrategyName.PRIORITY,
        true,
        transport,
        fromBlock,
        toBlock,
        minBlock,
        archival,
        false,
        only,
        excluded);
  }

  @Test
  void ranksChannelsOfAllTransportsWhenNoneIsForced() {
    Plan plan = RoutesFixture.of("b", "a").ws("a").select(CALL, 1);
    assertThat(names(plan)).containsExactly("a/http", "b/http", "a/ws");
  }

  @Test
  void leavesOutOtherTransportsWhenOneIsForced() {
    Plan plan =
        RoutesFixture.of("a")
            .ws("b")
            .select(request(Transport.WS, -1, -1, -1, false, Set.of(), Set.of()), 1);
    assertThat(names(plan)).containsExactly("b/ws");
    assertThat(reasons(plan)).containsEntry("a/http", RejectionReason.NO_TRANSPORT);
  }

  @Test
  void leavesOutWebSocketChannelsWithoutAnOpenConnection() {
    Plan plan =
        RoutesFixture.of("a")
            .ws("a")
            .local("a", Transport.WS, state(CircuitStatus.CLOSED, 0, 0, false, 0, 0))
            .select(CALL, 1);
    assertThat(names(plan)).containsExactly("a/http");
    assertThat(reasons(plan)).containsEntry("a/ws", RejectionReason.WS_DOWN);
  }

  @Test
  void takesTheWorseOfTheLocalAndTheFleetCircuit() {
    RoutesFixture fixture =
        RoutesFixture.of("fleet", "local", "fine")
            .open("fleet")
            .local("local", Transport.HTTP, state(CircuitStatus.OPEN, 0, 0, true, 0, 0));
    Plan plan = fixture.select(CALL, 1);
    assertThat(names(plan)).containsExactly("fine/http");
    assertThat(reasons(plan).values()).containsOnly(RejectionReason.CIRCUIT_OPEN);
  }

  @Test
  void countsAnOpenPeriodThatHasPassedAsHalfOpen() {
    Plan plan =
        RoutesFixture.of("a")
            .fleet("a", new FleetState(CircuitStatus.OPEN, NOW_MS - 1, 0, null, List.of(), null))
            .select(CALL, 1);
    assertThat(names(plan)).containsExactly("a/http");
    assertThat(plan.trial()).isTrue();
  }

  @Test
  void leavesOutAHalfOpenChannelWhoseTrialPlaceIsTaken() {
    Plan plan =
        RoutesFixture.of("a", "b")
            .halfOpen("a")
            .local("a", Transport.HTTP, state(CircuitStatus.CLOSED, 0, 1, true, 1, 0))
            .select(CALL, 1);
    assertThat(names(plan)).containsExactly("b/http");
    assertThat(reasons(plan)).containsEntry("a/http", RejectionReason.HALF_OPEN_BUSY);
  }

  @Test
  void demotesRateLimitedChannelsAndLeavesThemOutOnRequest() {
    RoutesFixture fixture = RoutesFixture.of("a", "b").rateLimited("a");
    assertThat(names(fixture.select(CALL, 1))).containsExactly("b/http", "a/http");
    SelectionRequest strict =
        new SelectionRequest(
            "eth_call",
            "call",
            StrategyName.PRIORITY,
            true,
            null,
            -1,
            -1,
            -1,
            false,
            true,
            Set.of(),
            Set.of());
    Plan plan = fixture.select(strict, 1);
    assertThat(names(plan)).containsExactly("b/http");
    assertThat(reasons(plan)).containsEntry("a/http", RejectionReason.RATE_LIMITED);
  }

  @ParameterizedTest
  @EnumSource(StrategyName.class)
  void putsTiersBeforeEveryStrategy(StrategyName strategy) {
    FleetState limited = new FleetState(CircuitStatus.CLOSED, 0, NOW_MS + 1, null, List.of(), null);
    FleetState halfOpenLimited =
        new FleetState(CircuitStatus.HALF_OPEN, 0, NOW_MS + 1, null, List.of(), null);
    RoutesFixture fixture =
        RoutesFixture.of("four", "three", "two", "one")
            .fleet("four", halfOpenLimited)
            .halfOpen("three")
            .fleet("two", limited)
            .latency("four", "eth_call", 1)
            .latency("three", "eth_call", 2)
            .latency("two", "eth_call", 3)
            .latency("one", "eth_call", 4);
    SelectionRequest notReplaySafe =
        new SelectionRequest(
            "eth_call",
            "call",
            strategy,
            false,
            null,
            -1,
            -1,
            -1,
            false,
            false,
            Set.of(),
            Set.of());
    assertThat(names(fixture.select(notReplaySafe, 7)))
        .containsExactly("one/http", "two/http", "three/http", "four/http");
  }

  @Test
  void letsAnIdleHalfOpenChannelLeadNowAndThen() {
    RoutesFixture fixture = RoutesFixture.of("a", "b").halfOpen("b");
    long leads =
        LongStream.range(0, 4_000)
            .filter(seed -> names(fixture.select(CALL, seed)).getFirst().equals("b/http"))
            .count();
    assertThat(leads).isBetween(900L, 1_100L);
  }

  @Test
  void passesChannelsWhoseHeightOrConsensusIsUnknown() {
    assertThat(names(RoutesFixture.of("a").consensus(100).select(CALL, 1))).hasSize(1);
    assertThat(names(RoutesFixture.of("a").height("a", 1).select(CALL, 1))).hasSize(1);
  }

  @Test
  void measuresLagWithCreditForTheTimeSinceTheHeadWasSeen() {
    RoutesFixture fixture =
        RoutesFixture.of("old", "fresh")
            .consensus(100)
            .seenBefore("old", 90, 8_000) // credit 8 of 1-second blocks: 2 behind
            .height("fresh", 97); // 3 behind
    Plan plan = fixture.select(CALL, 1);
    assertThat(names(plan)).containsExactly("old/http");
    assertThat(reasons(plan)).containsEntry("fresh/http", RejectionReason.LAGGING);
  }

  @Test
  void givesNoMoreThanThirtySecondsOfCredit() {
    Plan plan =
        RoutesFixture.of("dead", "fine")
            .consensus(1_000)
            .seenBefore("dead", 900, 600_000)
            .height("fine", 1_000)
            .select(CALL, 1);
    assertThat(names(plan)).containsExactly("fine/http");
  }

  @Test
  void countsASyncingNodeAsLagging() {
    Plan plan = RoutesFixture.of("a", "b").consensus(10).syncing("a", 10).select(CALL, 1);
    assertThat(reasons(plan)).containsEntry("a/http", RejectionReason.LAGGING);
  }

  @Test
  void servesFromTheLeastLaggingWhenAllLagAndSaysSo() {
    RoutesFixture fixture =
        RoutesFixture.of("far", "near").consensus(100).height("far", 10).height("near", 90);
    Plan plan = fixture.select(CALL, 1);
    assertThat(names(plan)).containsExactly("near/http", "far/http");
    assertThat(plan.degraded()).isTrue();
    Plan refused = fixture.rejectWhenAllLag().select(CALL, 1);
    assertThat(refused.isEmpty()).isTrue();
    assertThat(reasons(refused).values()).containsOnly(RejectionReason.LAGGING);
  }

  @Test
  void neverServesBelowTheHeightThatTheRequestDemands() {
    Plan plan =
        RoutesFixture.of("low", "high", "unknown")
            .consensus(100)
            .height("low", 98)
            .height("high", 100)
            .select(request(null, -1, -1, 99, false, Set.of(), Set.of()), 1);
    assertThat(names(plan)).containsExactly("high/http");
    Plan nobody =
        RoutesFixture.of("low")
            .consensus(100)
            .height("low", 98)
            .select(request(null, -1, -1, 99, false, Set.of(), Set.of()), 1);
    assertThat(nobody.isEmpty()).isTrue();
    assertThat(nobody.rejections().getFirst().detail())
        .isEqualTo("at height 98, at least 99 asked for");
  }

  @Test
  void asksOnlyArchivalProvidersForOldState() {
    Plan plan =
        RoutesFixture.of("pruned", "archive")
            .configured("pruned", 1, false, Capabilities.ALL)
            .select(request(null, 5, 5, -1, true, Set.of(), Set.of()), 1);
    assertThat(names(plan)).containsExactly("archive/http");
    assertThat(reasons(plan)).containsEntry("pruned/http", RejectionReason.NOT_ARCHIVAL);
  }

  @Test
  void keepsToTheListAndLeavesOutTheExcluded() {
    Plan plan =
        RoutesFixture.of("a", "b", "c")
            .select(
                request(
                    null,
                    -1,
                    -1,
                    -1,
                    false,
                    Set.of(ProviderId.of("a"), ProviderId.of("b")),
                    Set.of(ProviderId.of("b"))),
                1);
    assertThat(names(plan)).containsExactly("a/http");
    assertThat(reasons(plan))
        .containsOnly(
            Map.entry("b/http", RejectionReason.EXCLUDED),
            Map.entry("c/http", RejectionReason.EXCLUDED));
  }

  @Test
  void checksConfiguredAndLearnedCapabilities() {
    Capabilities narrow =
        new Capabilities(
            List.of(), List.of(), new ProviderLimits(100L, null, List.of()), List.of());
    Capabilities recent =
        new Capabilities(List.of(), List.of(), new ProviderLimits(null, 50L, List.of()), List.of());
    Capabilities noLogs =
        new Capabilities(
            List.of(MethodPattern.of("eth_getL*")), List.of(), ProviderLimits.NONE, List.of());
    Capabilities noCategory =
        new Capabilities(List.of(), List.of("logs"), ProviderLimits.NONE, List.of());
    Plan plan =
        RoutesFixture.of("narrow", "recent", "noLogs", "noCategory", "learned", "forgot", "fits")
            .consensus(1_000)
            .configured("narrow", 1, true, narrow)
            .configured("recent", 1, true, recent)
            .configured("noLogs", 1, true, noLogs)
            .configured("noCategory", 1, true, noCategory)
            .learned("learned", new LearnedLimit("eth_getLogs", 10, NOW_MS + 1))
            .learned("forgot", new LearnedLimit("eth_getLogs", 10, NOW_MS))
            .select(request(null, 800, 900, -1, false, Set.of(), Set.of()), 1);
    assertThat(names(plan)).containsExactly("fits/http", "forgot/http");
    assertThat(reasons(plan).values()).containsOnly(RejectionReason.CAPABILITY);
    assertThat(reasons(plan)).hasSize(5);
  }

  @Test
  void doesNotSendWhatNobodyCanServeEvenWhenAllLag() {
    Capabilities noLogs =
        new Capabilities(
            List.of(MethodPattern.of("eth_getLogs")), List.of(), ProviderLimits.NONE, List.of());
    Plan plan =
        RoutesFixture.of("a")
            .consensus(100)
            .height("a", 1)
            .configured("a", 1, true, noLogs)
            .select(request(null, -1, -1, -1, false, Set.of(), Set.of()), 1);
    assertThat(plan.isEmpty()).isTrue();
  }

  @Test
  void rejectsAnInstanceOfAnotherChain() {
    Plan plan = RoutesFixture.of("a", "b").wrongChain("a", 137).select(CALL, 1);
    assertThat(reasons(plan)).containsEntry("a/http", RejectionReason.CHAIN_MISMATCH);
    assertThat(plan.rejections().getFirst().detail()).contains("137").contains("instead of 1");
  }

  @Test
  void recordsTheLocalStateThatItReadWhereItMatters() {
    LocalEndpoint limited = state(CircuitStatus.CLOSED, NOW_MS + 50, 0, true, 3, 12);
    Plan plan = RoutesFixture.of("a").local("a", Transport.HTTP, limited).select(CALL, 1);
    assertThat(plan.local(0).rateLimitedUntilMs()).isEqualTo(NOW_MS + 50);
    assertThat(plan.local(0).inFlight()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(StrategyName.class)
  void decidesTheSameFromTheSameInputs(StrategyName strategy) {
    RoutesFixture fixture =
        RoutesFixture.of("a", "b", "c", "d")
            .latency("a", "eth_call", 10)
            .latency("b", "eth_call", 20);
    SelectionRequest request = SelectionRequest.of("eth_call", "call", strategy);
    Selector used = new Selector(SelectionPolicy.DEFAULT);
    for (long seed = 0; seed < 50; seed++) {
      Plan again = used.select(fixture.routes(), request, fixture.localView(), NOW_MS, seed);
      assertThat(names(again)).isEqualTo(names(fixture.select(request, seed)));
    }
  }
}
