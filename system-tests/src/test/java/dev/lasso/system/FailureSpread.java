package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Measures how long it takes from a failure at one gateway until another leaves the provider as
 * well. Each measurement takes a fresh provider in a profile of its own, so that none waits for an
 * earlier one to recover; it runs from sending the request whose failure opens the circuit to the
 * end of the answer in which the other gateway says that it would not use the provider. So it
 * contains one failing request and up to two looks at that page. Probes do not see the failure.
 */
final class FailureSpread {
  /** Failures in a row that open a circuit. */
  private static final int TO_OPEN = 5;

  private static final Duration POLL = Duration.ofMillis(1);

  private final Fleet fleet;
  private final Rpc from;
  private final Rpc to;

  FailureSpread(Fleet fleet, Rpc from, Rpc to) {
    this.fleet = fleet;
    this.from = from;
    this.to = to;
  }

  /**
   * Measures.
   *
   * @param times how often
   * @return milliseconds, ascending
   */
  double[] measure(int times) {
    String[] ids = IntStream.range(0, times).mapToObj(i -> "spread-" + i).toArray(String[]::new);
    try (TestProviders providers = TestProviders.start(ids)) {
      fleet.apply(
          Arrays.stream(ids)
              .map(id -> providers.profile(id, id))
              .map(yaml -> yaml.replace("block_time_ms: 1000", "block_time_ms: 12000"))
              .map(yaml -> yaml.replace("probe_interval_ms: 1000", "probe_interval_ms: 10000"))
              .toArray(String[]::new));
      for (String id : ids) {
        Await.until(
            () ->
                assertThat(Fleet.provider(from, id, id).getString("circuit")).isEqualTo("closed"));
        Await.until(() -> assertThat(leaves(id)).isFalse());
      }
      return Arrays.stream(ids).mapToDouble(id -> measure(providers, id)).sorted().toArray();
    }
  }

  private double measure(TestProviders providers, String id) {
    String path = "/rpc/profile/%s/provider/%s/main".formatted(id, id);
    from.result(path, Rpc.BALANCE);
    providers.faults(id).pin("http:503 methods=eth_getBalance");
    for (int i = 1; i < TO_OPEN; i++) {
      from.post(path, Rpc.BALANCE);
    }
    assertThat(leaves(id)).as("left before the last failure").isFalse();
    long beganNs = System.nanoTime();
    CompletableFuture<?> last = CompletableFuture.runAsync(() -> from.post(path, Rpc.BALANCE));
    Await.await().pollInterval(POLL).until(() -> leaves(id));
    double tookMs = (System.nanoTime() - beganNs) / 1e6;
    last.join();
    assertThat(Fleet.provider(from, id, id).getString("local_circuit")).isEqualTo("open");
    providers.faults(id).clear();
    return tookMs;
  }

  private boolean leaves(String id) {
    JsonObject seen = Fleet.provider(to, id, id);
    return seen.getString("fleet_circuit", "closed").equals("open")
        && seen.getString("rejected") != null;
  }

  /** The share {@code p} of the values is not above this. */
  static double percentile(double[] ascending, double p) {
    return ascending[Math.max(0, (int) Math.ceil(p * ascending.length) - 1)];
  }
}
