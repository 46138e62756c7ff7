package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One process after the other has its machine's clock set an hour ahead, then an hour back, then
 * right, while requests and subscriptions run: nobody is shut out or trusted by a wrong clock,
 * nothing is missed, and the process says what is wrong.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClockJumpSystemIT {
  private static final long HOUR_S = 3_600;
  private static final String RPC = "/rpc/profile/clocks/main";

  /** Those whose own deadlines say whether a provider is asked. */
  private static final Set<String> JUDGES = Set.of("gateway", "health");

  /** So that what a test waits for is a matter of seconds. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "LASSO_CIRCUIT_OPEN", "1s",
          "LASSO_CIRCUIT_FAILURES", "2",
          "LASSO_CIRCUIT_SUCCESSES", "1",
          "LASSO_CIRCUIT_RELAPSE", "0ms");

  private final TestProviders providers = TestProviders.start("one", "two", "three");
  private final Map<String, FakeClock> clocks = new LinkedHashMap<>();
  private final Map<String, Rpc> processes = new LinkedHashMap<>();
  private Fleet fleet;
  private Path directory = Path.of(".");

  @BeforeAll
  void start(@TempDir Path directory) {
    FakeClock.require();
    this.directory = directory;
    fleet = new Fleet(directory);
    fleet.broker();
    fleet.createTopics();
    Map<String, LassoCommand> started = new LinkedHashMap<>();
    for (String role : List.of("gateway", "health", "blocksync", "subscription")) {
      FakeClock clock = FakeClock.right(directory, role);
      Map<String, String> variables = clock.variables();
      variables.putAll(SETTINGS);
      clocks.put(role, clock);
      started.put(role, fleet.start(role, 0, variables));
    }
    started.forEach((role, process) -> processes.put(role, new Rpc(process.ready().http())));
    fleet.apply(
        TestProviders.head("clocks")
            + providers.webSocketProvider("one")
            + providers.webSocketProvider("two")
            + providers.provider("three", "three"));
    Await.until(() -> assertThat(Fleet.ids(gateway(), "clocks")).hasSize(3));
    Await.until(() -> gateway().result(RPC, Rpc.BALANCE));
    Fleet.await("ready", processes.values());
  }

  @AfterAll
  void end() {
    providers.close();
    if (fleet != null) {
      fleet.close();
    }
  }

  /** In CI those that judge by their clocks; all of them: {@code -Dlasso.system.clocks=…}. */
  static Stream<String> victims() {
    return Stream.of(System.getProperty("lasso.system.clocks", "gateway,health").split(",", -1));
  }

  @ParameterizedTest
  @MethodSource("victims")
  void anHourAheadAndAnHourBackAreToldAndHarmNobody(String role) {
    FakeClock clock = Objects.requireNonNull(clocks.get(role));
    try (Load load = Load.start(RPC, gateway());
        Follower follower =
            Follower.start(gateway().base().replace("http:", "ws:") + "/ws" + RPC)) {
      Await.until(() -> assertThat(follower.heads()).isNotEmpty());
      try {
        clock.set(HOUR_S);
        awaitComplaint(role, "1h0m ahead of the time that the fleet keeps");
        if (JUDGES.contains(role)) {
          aProviderIsLeftAndTakenBack();
        }
        clock.set(-HOUR_S);
        awaitComplaint(role, "1h0m behind the time that the fleet keeps");
        if (role.equals("gateway")) {
          // each look is the start of a JVM, which can take long on a busy machine
          Await.await()
              .atMost(LassoCommand.READY_WITHIN)
              .untilAsserted(
                  () ->
                      assertThat(String.join("\n", status()))
                          .contains("clock: this machine's clock is 1h0m"));
        }
        aProviderIsLeftAndTakenBack();
      } finally {
        clock.set(0);
      }
      Fleet.await("ready", processes.values());
      assertThat(load.failures()).isEmpty();
      assertNoGap(follower);
    }
  }

  private Rpc gateway() {
    return process("gateway");
  }

  private Rpc process(String role) {
    return Objects.requireNonNull(processes.get(role));
  }

  private List<String> status() {
    return LassoCommand.run(directory, "status", "--kafka", fleet.kafka());
  }

  private void awaitComplaint(String role, String words) {
    Await.until(
        () -> {
          JsonObject report = process(role).page("/health/ready");
          assertThat(report.getString("status")).as(report.encode()).isEqualTo("degraded");
          assertThat(report.getJsonArray("reasons").encode()).contains(words);
        });
  }

  /** By probes alone, so health-service must probe and fold, and the gateway must hear of it. */
  private void aProviderIsLeftAndTakenBack() {
    providers.faults("three").pin("refuse");
    awaitCircuit("open");
    providers.faults("three").clear();
    awaitCircuit("closed");
    Await.until(
        () ->
            assertThat(Fleet.provider(gateway(), "clocks", "three").getString("status"))
                .isEqualTo("healthy"));
  }

  private void awaitCircuit(String state) {
    Await.until(
        () -> {
          JsonObject three = Fleet.provider(gateway(), "clocks", "three");
          assertThat(three.getString("fleet_circuit")).as(three.encode()).isEqualTo(state);
        });
  }

  private void assertNoGap(Follower follower) {
    long height = providers.chain().head().number();
    Await.until(
        () ->
            assertThat(follower.heads().getLast().number())
                .as("the last head told")
                .isGreaterThanOrEqualTo(height));
    List<Follower.Head> heads = new ArrayList<>(follower.heads());
    long first = heads.getFirst().number();
    assertThat(heads.stream().map(Follower.Head::number).collect(Collectors.toList()))
        .isEqualTo(LongStream.rangeClosed(first, heads.getLast().number()).boxed().toList());
  }
}
