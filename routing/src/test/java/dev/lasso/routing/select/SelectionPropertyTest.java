package dev.lasso.routing.select;

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters, tiers and the priority order against the routing page in the plainest form. */
class SelectionPropertyTest {
  private static final int SEEDS = 5;

  /** In all; {@code -Dlasso.sequences=100000} for more. */
  private static final int SCENES = Integer.getInteger("lasso.sequences", 20_000);

  private static final long NOW = RoutesFixture.NOW_MS;
  private static final long CONSENSUS = 10_000;
  private static final int MAX_LAG = 2; // of the fixture, as its block time of 1 s
  private static final String[] METHODS = {"eth_call", "trace_block", "eth_getLogs"};

  /** One provider, as the model sees it. */
  private record Node(
      String id,
      boolean ws,
      int priority,
      boolean archival,
      Set<String> unsupported,
      @Nullable Long maxRange,
      CircuitStatus fleet,
      long openUntilMs,
      boolean fleetLimited,
      boolean wrongChain,
      @Nullable LearnedLimit learned,
      @Nullable Height height,
      CircuitStatus own,
      boolean ownLimited,
      int trials,
      boolean connected) {
    CircuitStatus circuit() {
      CircuitStatus now =
          fleet == CircuitStatus.OPEN && openUntilMs <= NOW ? CircuitStatus.HALF_OPEN : fleet;
      return now.compareTo(own) > 0 ? now : own;
    }

    boolean limited() {
      return fleetLimited || ownLimited;
    }

    int tier() {
      return (circuit() == CircuitStatus.CLOSED ? 0 : 2) + (limited() ? 1 : 0);
    }

    long lag() {
      if (height == null) {
        return 0;
      }
      long credit = Math.min(NOW - height.seenAtMs(), 30_000) / 1_000;
      return CONSENSUS - height.number() - credit;
    }

    @Nullable RejectionReason rejection(SelectionRequest request) {
      if (request.transport() != null && (request.transport() == Transport.WS) != ws) {
        return RejectionReason.NO_TRANSPORT;
      }
      if (ws && !connected) {
        return RejectionReason.WS_DOWN;
      }
      if (wrongChain) {
        return RejectionReason.CHAIN_MISMATCH;
      }
      if (circuit() == CircuitStatus.OPEN) {
        return RejectionReason.CIRCUIT_OPEN;
      }
      if (circuit() == CircuitStatus.HALF_OPEN && trials > 0) {
        return RejectionReason.HALF_OPEN_BUSY;
      }
      if (request.excludeRateLimited() && limited()) {
        return RejectionReason.RATE_LIMITED;
      }
      if (!reached(request) || (height != null && (height.syncing() || lag() > MAX_LAG))) {
        return RejectionReason.LAGGING;
      }
      return afterLag(request);
    }

    boolean reached(SelectionRequest request) {
      return request.minBlock() < 0 || (height != null && height.number() >= request.minBlock());
    }

    @Nullable RejectionReason afterLag(SelectionRequest request) {
      if (request.requiresArchival() && !archival) {
        return RejectionReason.NOT_ARCHIVAL;
      }
      ProviderId provider = ProviderId.of(id);
      if (request.excluded().contains(provider)
          || (!request.onlyProviders().isEmpty() && !request.onlyProviders().contains(provider))) {
        return RejectionReason.EXCLUDED;
      }
      boolean rangeTooWide = maxRange != null && request.blockRange() > maxRange;
      boolean learnedNot =
          learned != null
              && learned.untilMs() > NOW
              && learned.method().equals(request.method())
              && (learned.maxBlockRange() == 0 || request.blockRange() > learned.maxBlockRange());
      return unsupported.contains(request.method()) || rangeTooWide || learnedNot
          ? RejectionReason.CAPABILITY
          : null;
    }
  }

  private static Node node(SplittableRandom random, int number) {
    CircuitStatus[] circuits = {
      CircuitStatus.CLOSED, CircuitStatus.CLOSED, CircuitStatus.HALF_OPEN, CircuitStatus.OPEN
    };
    return new Node(
        "n" + number,
        random.nextInt(3) == 0,
        random.nextInt(3),
        random.nextInt(4) > 0,
        random.nextInt(5) == 0 ? Set.of(METHODS[random.nextInt(3)]) : Set.of(),
        random.nextInt(4) == 0 ? Long.valueOf(1 + random.nextInt(20)) : null,
        circuits[random.nextInt(4)],
        NOW + random.nextInt(-5_000, 5_000),
        random.nextInt(5) == 0,
        random.nextInt(12) == 0,
        random.nextInt(5) == 0
            ? new LearnedLimit(
                METHODS[random.nextInt(3)],
                random.nextInt(2) * 10L,
                NOW + random.nextInt(-1_000, 1_000))
            : null,
        random.nextInt(6) == 0
            ? null
            : new Height(
                CONSENSUS - random.nextInt(8),
                NOW - random.nextInt(5_000),
                random.nextInt(12) == 0),
        circuits[random.nextInt(3)],
        random.nextInt(6) == 0,
        random.nextInt(3) == 0 ? 1 : 0,
        random.nextInt(5) > 0);
  }

  private static SelectionRequest request(SplittableRandom random, List<Node> nodes) {
    Set<ProviderId> only = new HashSet<>();
    Set<ProviderId> excluded = new HashSet<>();
    for (Node node : nodes) {
      if (random.nextInt(10) == 0) {
        only.add(ProviderId.of(node.id()));
      }
      if (random.nextInt(10) == 0) {
        excluded.add(ProviderId.of(node.id()));
      }
    }
    long from = random.nextInt(3) == 0 ? CONSENSUS - random.nextInt(40) : SelectionRequest.UNBOUND;
    StrategyName[] strategies = StrategyName.values();
    return new SelectionRequest(
        METHODS[random.nextInt(3)],
        "call",
        strategies[random.nextInt(strategies.length)],
        random.nextInt(3) > 0,
        random.nextInt(4) > 0 ? null : random.nextBoolean() ? Transport.HTTP : Transport.WS,
        from,
        from < 0 ? SelectionRequest.UNBOUND : from + random.nextInt(30),
        random.nextInt(4) == 0 ? CONSENSUS - random.nextInt(6) : SelectionRequest.UNBOUND,
        random.nextInt(4) == 0,
        random.nextInt(4) == 0,
        only,
        excluded);
  }

  private static RoutesFixture fixture(List<Node> nodes, boolean leastLagging) {
    RoutesFixture fixture = new RoutesFixture().consensus(CONSENSUS);
    if (!leastLagging) {
      fixture.rejectWhenAllLag();
    }
    for (Node node : nodes) {
      Transport transport = node.ws() ? Transport.WS : Transport.HTTP;
      if (node.ws()) {
        fixture.ws(node.id());
      } else {
        fixture.http(node.id());
      }
      fixture.configured(
          node.id(),
          node.priority(),
          node.archival(),
          new Capabilities(
              node.unsupported().stream().map(MethodPattern::of).toList(),
              List.of(),
              new ProviderLimits(node.maxRange(), null, List.of()),
              List.of()));
      fixture.fleet(
          node.id(),
          new FleetState(
              node.fleet(),
              node.openUntilMs(),
              node.fleetLimited() ? NOW + 1 : 0,
              node.wrongChain() ? Long.valueOf(5) : null,
              node.learned() == null ? List.of() : List.of(node.learned()),
              null));
      Height height = node.height();
      if (height != null) {
        if (height.syncing()) {
          fixture.syncing(node.id(), height.number());
        } else {
          fixture.seenBefore(node.id(), height.number(), NOW - height.seenAtMs());
        }
      }
      fixture.local(
          node.id(),
          transport,
          RoutesFixture.state(
              node.own(), node.ownLimited() ? NOW + 1 : 0, node.trials(), node.connected(), 0, 0));
    }
    return fixture;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, SEEDS})
  void plansAreTheModels(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < SCENES / SEEDS; i++) {
      List<Node> nodes = new ArrayList<>();
      for (int count = random.nextInt(1, 9); count > 0; count--) {
        nodes.add(node(random, nodes.size()));
      }
      SelectionRequest request = request(random, nodes);
      boolean leastLagging = random.nextInt(4) > 0;
      Plan plan = fixture(nodes, leastLagging).select(request, random.nextLong());
      try {
        check(nodes, request, leastLagging, plan);
      } catch (AssertionError e) {
        throw new AssertionError(
            "seed %d scene %d: %s of %s".formatted(seed, i, request, nodes), e);
      }
    }
  }

  private static void check(
      List<Node> nodes, SelectionRequest request, boolean leastLagging, Plan plan) {
    Map<String, RejectionReason> rejections = new HashMap<>();
    List<Node> candidates = new ArrayList<>();
    for (Node node : nodes) {
      RejectionReason reason = node.rejection(request);
      if (reason == null) {
        candidates.add(node);
      } else {
        rejections.put(node.id(), reason);
      }
    }
    List<Node> laggingOnly =
        nodes.stream()
            .filter(node -> rejections.get(node.id()) == RejectionReason.LAGGING)
            .filter(node -> node.reached(request) && node.afterLag(request) == null)
            .toList();
    boolean degraded = candidates.isEmpty() && leastLagging && !laggingOnly.isEmpty();
    if (degraded) {
      candidates.addAll(laggingOnly);
      laggingOnly.forEach(node -> rejections.remove(node.id()));
    }
    assertThat(plan.degraded()).isEqualTo(degraded);
    Map<String, RejectionReason> told = new HashMap<>();
    for (Plan.Rejection rejection : plan.rejections()) {
      told.put(rejection.channel().channel().provider().value(), rejection.reason());
      assertThat(rejection.detail()).isNotBlank();
    }
    assertThat(told).isEqualTo(rejections);
    List<Node> order = plan.channels().stream().map(row -> find(nodes, row)).toList();
    assertThat(order).containsExactlyInAnyOrderElementsOf(candidates);
    checkOrder(order, request, degraded, plan.trial());
  }

  private static Node find(List<Node> nodes, ChannelRow row) {
    return nodes.stream()
        .filter(node -> node.id().equals(row.channel().provider().value()))
        .findFirst()
        .orElseThrow();
  }

  private static void checkOrder(
      List<Node> order, SelectionRequest request, boolean degraded, boolean trial) {
    assertThat(trial).isEqualTo(!order.isEmpty() && order.getFirst().tier() >= 2);
    boolean ledBeforeOthers = trial && order.stream().anyMatch(node -> node.tier() < 2);
    if (ledBeforeOthers) {
      assertThat(request.replaySafe()).isTrue();
      assertThat(order.getFirst().tier()).isEqualTo(2);
      assertThat(order.getFirst().trials()).isZero();
    }
    List<Node> rest = ledBeforeOthers ? order.subList(1, order.size()) : order;
    assertThat(rest).isSortedAccordingTo(Comparator.comparingInt(Node::tier));
    for (int tier = 0; tier < 4; tier++) {
      int of = tier;
      List<Node> within = rest.stream().filter(node -> node.tier() == of).toList();
      if (degraded) {
        assertThat(within)
            .isSortedAccordingTo(
                Comparator.comparing(
                        (Node node) -> node.height() != null && node.height().syncing())
                    .thenComparingLong(
                        node -> node.height() != null && node.height().syncing() ? 0 : node.lag()));
      } else if (request.strategy() == StrategyName.PRIORITY) {
        assertThat(within)
            .isSortedAccordingTo(
                Comparator.comparingInt(Node::priority)
                    .thenComparing(Node::ws)
                    .thenComparing(Node::id));
      }
    }
  }
}
