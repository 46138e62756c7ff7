package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A profile of 5,000 providers, from the file to the answer. */
class LargeProfileSystemIT {
  private static final int PROVIDERS = 5_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern RSS = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  @TempDir private Path directory = Path.of(".");

  @Test
  void isServed() throws IOException {
    try (TestProviders providers = TestProviders.start("one")) {
      Path small = Files.createDirectory(directory.resolve("small"));
      Files.writeString(small.resolve("small.yml"), providers.profile("small", "one"));
      Path large = Files.createDirectory(directory.resolve("large"));
      Files.writeString(large.resolve("large.yml"), profile(providers));

      assertThat(
              timed(
                  "validate",
                  () -> LassoCommand.run(directory, "profiles", "validate", large.toString())))
          .anySatisfy(line -> assertThat(line).contains("1 chain, 5000 providers: valid"));
      try (LassoCommand up =
          LassoCommand.start(
              directory,
              "up",
              "--profiles",
              small.toString(),
              "--port",
              "0",
              "--kafka-port",
              "0",
              "--ephemeral")) {
        Rpc gateway = new Rpc(up.ready().http());
        timed(
            "apply",
            () ->
                LassoCommand.run(
                    directory,
                    "profiles",
                    "apply",
                    large.toString(),
                    "--kafka",
                    up.ready().kafka()));
        timed(
            "first answer after apply",
            () -> {
              Await.await()
                  .atMost(PATIENCE)
                  .untilAsserted(() -> gateway.result("/rpc/profile/large/main", Rpc.BALANCE));
              return true;
            });
        JsonArray page =
            timed(
                "page of all providers",
                () -> gateway.page("/api/providers/main?profile=large").getJsonArray("providers"));
        assertThat(page).hasSize(PROVIDERS);
        Await.await()
            .atMost(PATIENCE)
            .untilAsserted(
                () -> {
                  assertThat(healthy(gateway)).isGreaterThan(20);
                  gateway.result("/rpc/profile/large/provider/p4999/main", Rpc.BALANCE);
                  gateway.result("/rpc/profile/small/main", Rpc.BALANCE);
                });
        assertThat(gateway.get("/health/ready").statusCode()).isEqualTo(200);
        Figures.print("5,000 providers: `lasso up` uses %d MiB".formatted(rssMib(up)));
      }
    }
  }

  private static String profile(TestProviders providers) {
    StringBuilder yaml =
        new StringBuilder(
            TestProviders.head("large")
                .replace("block_time_ms: 1000", "block_time_ms: 12000")
                .replace("probe_interval_ms: 1000", "probe_interval_ms: 12000"));
    for (int i = 0; i < PROVIDERS; i++) {
      yaml.append("      - id: p%d\n        url: %s/%d\n".formatted(i, providers.url("one"), i));
    }
    return yaml.toString();
  }

  /** How many providers the health service has found well. */
  private static long healthy(Rpc gateway) {
    return gateway.page("/api/providers/main?profile=large").getJsonArray("providers").stream()
        .map(one -> ((JsonObject) one).getJsonObject("transports").getJsonObject("http"))
        .filter(http -> http.getString("status").equals("healthy"))
        .count();
  }

  private static long rssMib(LassoCommand process) throws IOException {
    Matcher rss = RSS.matcher(Files.readString(Path.of("/proc/" + process.pid() + "/status")));
    assertThat(rss.find()).isTrue();
    return Long.parseLong(rss.group(1)) / 1_024;
  }

  private static <T> T timed(String what, Supplier<T> action) {
    long beganNs = System.nanoTime();
    T result = action.get();
    Figures.print(
        "5,000 providers: %s %d ms".formatted(what, (System.nanoTime() - beganNs) / 1_000_000));
    return result;
  }
}
