package dev.lasso.routing.select;

import static dev.lasso.routing.select.RoutesFixture.NOW_MS;
import static dev.lasso.routing.select.RoutesFixture.names;
import static dev.lasso.routing.select.RoutesFixture.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrategyPropertyTest {
  private static final String METHOD = "eth_call";
  private static final int RUNS = 20_000;

  /** How often each provider leads over seeded runs. */
  private static Map<String, Integer> leaders(
      RoutesFixture fixture, StrategyName strategy, long from) {
    SelectionRequest request = SelectionRequest.of(METHOD, "call", strategy);
    Selector selector = new Selector(SelectionPolicy.DEFAULT);
    ChainRoutes routes = fixture.routes();
    Map<String, Integer> counts = new HashMap<>();
    for (long seed = from; seed < from + RUNS; seed++) {
      Plan plan = selector.select(routes, request, fixture.localView(), NOW_MS, seed * 0x9E3779B9L);
      counts.merge(names(plan).getFirst().replace("/http", ""), 1, Integer::sum);
    }
    return counts;
  }

  /** Pearson's statistic of the counts against expected probabilities. */
  private static double chiSquare(Map<String, Integer> counts, Map<String, Double> expected) {
    return expected.entrySet().stream()
        .mapToDouble(
            entry -> {
              double want = entry.getValue() * RUNS;
              double off = counts.getOrDefault(entry.getKey(), 0) - want;
              return off * off / want;
            })
        .sum();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 1_000_003, 77_000_021})
  void loadBalancedLeadsUniformly(long seed) {
    Map<String, Integer> counts =
        leaders(RoutesFixture.of("a", "b", "c", "d"), StrategyName.LOAD_BALANCED, seed);
    // 3 degrees of freedom: 16.3 is exceeded once in 1,000
    assertThat(chiSquare(counts, Map.of("a", 0.25, "b", 0.25, "c", 0.25, "d", 0.25)))
        .isLessThan(16.3);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 1_000_003, 77_000_021})
  void latencyWeightedLeadsInProportionToTheSeedsFormula(long seed) {
    RoutesFixture fixture =
        RoutesFixture.of("a", "b", "c")
            .evidence("a", METHOD, new Evidence(200, 0, 0.98, 100, 1, NOW_MS))
            .evidence("b", METHOD, new Evidence(300, 0, 0.95, 80, 1, NOW_MS))
            .evidence("c", METHOD, new Evidence(350, 0, 0.92, 50, 0.8, NOW_MS));
    double a = 0.98 / Math.pow(200, 3);
    double b = 0.95 / Math.pow(300, 3);
    double c = 0.92 * 0.8 / Math.pow(350, 3);
    double sum = a + b + c;
    assertThat(
            chiSquare(
                leaders(fixture, StrategyName.LATENCY_WEIGHTED, seed),
                Map.of("a", a / sum, "b", b / sum, "c", c / sum)))
        .isLessThan(13.8);
  }

  @Test
  void latencyWeightedKeepsTheFloorAsAProbability() {
    RoutesFixture fixture =
        RoutesFixture.of("fast", "slow", "slower")
            .latency("fast", METHOD, 50)
            .latency("slow", METHOD, 5_000)
            .latency("slower", METHOD, 9_000);
    assertThat(
            chiSquare(
                leaders(fixture, StrategyName.LATENCY_WEIGHTED, 5),
                Map.of("fast", 0.9, "slow", 0.05, "slower", 0.05)))
        .isLessThan(13.8);
  }

  @Test
  void latencyWeightedOrdersTheRestByWeightToo() {
    RoutesFixture fixture =
        RoutesFixture.of("a", "b", "c")
            .latency("a", METHOD, 100)
            .latency("b", METHOD, 100)
            .latency("c", METHOD, 200);
    SelectionRequest request = SelectionRequest.of(METHOD, "call", StrategyName.LATENCY_WEIGHTED);
    int secondIsC = 0;
    int firstIsA = 0;
    for (long seed = 0; seed < RUNS; seed++) {
      List<String> order = names(fixture.select(request, seed));
      if (order.getFirst().equals("a/http")) {
        firstIsA++;
        secondIsC += order.get(1).equals("c/http") ? 1 : 0;
      }
    }
    // after a, c has weight 1/8 against b's 1: probability (1/8)/(9/8) = 1/9
    assertThat((double) secondIsC / firstIsA).isBetween(0.09, 0.13);
  }

  @Test
  void fastestOrdersByLatencyAndExploresTheLeastKnown() {
    RoutesFixture fixture =
        RoutesFixture.of("cold", "slow", "fast")
            .latency("slow", METHOD, 300)
            .latency("fast", METHOD, 100);
    Map<String, Integer> counts = leaders(fixture, StrategyName.FASTEST, 3);
    assertThat(chiSquare(counts, Map.of("fast", 0.98, "cold", 0.02))).isLessThan(10.9);
    assertThat(counts).doesNotContainKey("slow");
  }

  @Test
  void fastestCountsColdAndStaleRowsAsThe75thPercentileOfTheKnown() {
    RoutesFixture fixture =
        RoutesFixture.of("cold", "stale", "few", "k1", "k2", "k3", "k4")
            .evidence("stale", METHOD, new Evidence(1, 1, 1, 100, 1, NOW_MS - 600_001))
            .evidence("few", METHOD, new Evidence(1, 1, 1, 2, 1, NOW_MS))
            .latency("k1", METHOD, 100)
            .latency("k2", METHOD, 200)
            .latency("k3", METHOD, 300)
            .latency("k4", METHOD, 400);
    List<String> order = orderWithoutExploring(fixture);
    assertThat(order.subList(0, 2)).containsExactly("k1/http", "k2/http");
    assertThat(order.subList(2, 6))
        .containsExactlyInAnyOrder("k3/http", "cold/http", "stale/http", "few/http");
    assertThat(order.getLast()).isEqualTo("k4/http");
  }

  @Test
  void fastestRanksUnreliableChannelsLast() {
    RoutesFixture fixture =
        RoutesFixture.of("unreliable", "slow")
            .evidence("unreliable", METHOD, new Evidence(10, 10, 0.89, 100, 1, NOW_MS))
            .latency("slow", METHOD, 5_000);
    assertThat(orderWithoutExploring(fixture)).containsExactly("slow/http", "unreliable/http");
  }

  private static List<String> orderWithoutExploring(RoutesFixture fixture) {
    SelectionPolicy still =
        new SelectionPolicy(3, 0.9, 0, 3, 30, 0.05, 3, 0.85, 600_000, 10_000, 1, 0.25);
    return names(
        new Selector(still)
            .select(
                fixture.routes(),
                SelectionRequest.of(METHOD, "call", StrategyName.FASTEST),
                LocalView.NONE,
                NOW_MS,
                11));
  }

  @Test
  void leastLoadedAvoidsTheBusyAndTheSlow() {
    RoutesFixture fixture =
        RoutesFixture.of("busy", "idle", "slow")
            .local("busy", Transport.HTTP, state(CircuitStatus.CLOSED, 0, 0, true, 9, 100))
            .local("idle", Transport.HTTP, state(CircuitStatus.CLOSED, 0, 0, true, 0, 100))
            .local("slow", Transport.HTTP, state(CircuitStatus.CLOSED, 0, 0, true, 0, 500));
    // two draws with replacement of three: the best wins unless never drawn (4/9), the worst only
    // when drawn twice (1/9)
    assertThat(
            chiSquare(
                leaders(fixture, StrategyName.LEAST_LOADED, 9),
                Map.of("idle", 5 / 9.0, "slow", 3 / 9.0, "busy", 1 / 9.0)))
        .isLessThan(13.8);
  }

  @Test
  void handlesFiveThousandProviders() {
    RoutesFixture fixture = new RoutesFixture();
    for (int i = 0; i < 5_000; i++) {
      fixture.http("p" + i).latency("p" + i, METHOD, 5_001 - i);
    }
    for (StrategyName strategy : StrategyName.values()) {
      Plan plan = fixture.select(SelectionRequest.of(METHOD, "call", strategy), 1);
      assertThat(plan.channels()).doesNotHaveDuplicates().hasSize(5_000);
    }
    assertThat(orderWithoutExploring(fixture).getFirst()).isEqualTo("p4999/http");
  }
}
