package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A gateway process with 128 MiB of heap passes a block trace of 200 MiB on while it serves others:
 * answers flow, held back by their readers, and memory does not grow with them.
 */
@ExtendWith(BrokerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("others want five hundred answers a second")
class LargeAnswerSystemIT {
  private static final long RESULT_BYTES = 200L << 20;
  private static final int OTHERS_PER_SECOND = 500;

  /** A machine too busy for that rate gets fewer, not a growing heap of them. */
  private static final int MOST_OPEN = 64;

  private static final String TRACE =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"debug_traceBlockByNumber\",\"params\":[\"0x1\"]}";

  private final TraceProviders providers = new TraceProviders();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ScheduledExecutorService pacer = Executors.newSingleThreadScheduledExecutor();
  private final Queue<CompletableFuture<HttpResponse<String>>> others =
      new ConcurrentLinkedQueue<>();
  private final AtomicInteger number = new AtomicInteger();
  private long pacedSinceNs;
  private LassoCommand gateway;
  private String http;

  @BeforeAll
  void start(TestBroker broker, @TempDir Path directory) throws Exception {
    Path profile = directory.resolve("profiles");
    Files.createDirectories(profile);
    Files.writeString(
        profile.resolve("default.yml"),
        """
        name: Large answers
        slug: default
        rps_limit: 0
        burst_limit: 0
        chains:
          ethereum:
            chain_id: 1
            routing: {hedge: {max: 0}}
            providers:
              - {id: quick, url: "%s"}
              - {id: brisk, url: "%s"}
              - {id: full, url: "%s", capabilities: {unsupported_methods: ["trace_*"]}}
              - {id: dripping, url: "%s", capabilities: {unsupported_methods: ["trace_*"]}}
        """
            .formatted(
                providers.full(1),
                providers.full(1),
                providers.full(RESULT_BYTES),
                providers.dripping()));
    Map<String, String> variables =
        Map.of("LASSO_TOPIC_PREFIX", broker.topicPrefix(), "LASSO_JAVA_OPTS", "-Xms128m -Xmx128m");
    String kafka = broker.bootstrapServers();
    run(directory, variables, "topics", "apply", "--kafka", kafka);
    run(directory, variables, "profiles", "apply", profile.toString(), "--kafka", kafka);
    gateway =
        LassoCommand.start(
            directory,
            variables,
            "gateway",
            "--kafka",
            kafka,
            "--port",
            "0",
            "--data-dir",
            directory.resolve("gateway").toString());
    http = gateway.ready().http();
    warmUp();
  }

  /** Loads the gateway's classes, so that no caller's deadline pays for it. */
  private void warmUp() throws Exception {
    for (int i = 0; i < 100; i++) {
      other(number.incrementAndGet()).get(60, TimeUnit.SECONDS);
    }
    Await.until(
        () ->
            assertThat(other(number.incrementAndGet()).get(20, TimeUnit.SECONDS).statusCode())
                .isEqualTo(200));
  }

  private static void run(Path directory, Map<String, String> variables, String... arguments) {
    try (LassoCommand command = LassoCommand.start(directory, variables, arguments)) {
      assertThat(command.exitCode()).as(command.toString()).isZero();
    }
  }

  @AfterAll
  void stop() {
    pacer.shutdownNow();
    client.shutdownNow();
    providers.close();
    gateway.terminate();
    gateway.close();
  }

  private HttpRequest post(String path, String body) {
    return HttpRequest.newBuilder(URI.create(http + path))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private CompletableFuture<HttpResponse<String>> other(int number) {
    return client.sendAsync(
        post(
            "/rpc/ethereum",
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"trace_transaction\",\"params\":[\"0x%064x\"]}"
                .formatted(number, number)),
        HttpResponse.BodyHandlers.ofString());
  }

  private InputStream trace(String provider) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        client.send(
            post("/rpc/provider/" + provider + "/ethereum", TRACE),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  /**
   * Begins with 500 other calls a second; each must be answered right. They are of a method with a
   * long deadline, so that a machine busy with other tests fails none.
   */
  private ScheduledFuture<?> serveOthers() {
    others.clear();
    pacedSinceNs = System.nanoTime();
    AtomicInteger open = new AtomicInteger();
    return pacer.scheduleAtFixedRate(
        () -> {
          if (open.get() < MOST_OPEN) {
            open.incrementAndGet();
            others.add(
                other(number.incrementAndGet()).whenComplete((_, _) -> open.decrementAndGet()));
          }
        },
        0,
        1_000_000 / OTHERS_PER_SECOND,
        TimeUnit.MICROSECONDS);
  }

  private void othersWereServed(ScheduledFuture<?> pace) throws Exception {
    pace.cancel(false);
    double seconds = (System.nanoTime() - pacedSinceNs) / 1e9;
    List<CompletableFuture<HttpResponse<String>>> all = List.copyOf(others);
    assertThat(all).hasSizeGreaterThan(OTHERS_PER_SECOND);
    for (CompletableFuture<HttpResponse<String>> each : all) {
      HttpResponse<String> response = each.get(60, TimeUnit.SECONDS);
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      assertThat(response.body()).endsWith("\"result\":\"0x2a\"}");
    }
    Figures.print(
        "other answers beside a large one: %.0f a second, all right (%d asked for)"
            .formatted(all.size() / seconds, OTHERS_PER_SECOND));
  }

  @Test
  void twoHundredMebibytesPassWhileOthersAreServed() throws Exception {
    ScheduledFuture<?> pace = serveOthers();
    Await.until(() -> assertThat(others.size()).isGreaterThan(OTHERS_PER_SECOND));
    long bytes = 0;
    byte[] piece = new byte[1 << 16];
    String end = "";
    try (InputStream body = trace("full")) {
      for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
        bytes += read;
        end += new String(piece, 0, read, StandardCharsets.US_ASCII);
        end = end.substring(Math.max(0, end.length() - 2));
      }
    }
    assertThat(end).endsWith("\"}");
    assertThat(bytes).isGreaterThan(RESULT_BYTES);
    othersWereServed(pace);
  }

  @Test
  void aProviderThatSendsAKibibyteASecondHarmsNobody() throws Exception {
    List<CompletableFuture<HttpResponse<InputStream>>> slow = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      slow.add(
          client.sendAsync(
              post("/rpc/provider/dripping/ethereum", TRACE),
              HttpResponse.BodyHandlers.ofInputStream()));
    }
    Await.until(() -> assertThat(providers.dripsOpen()).isEqualTo(20));
    ScheduledFuture<?> pace = serveOthers();
    Await.until(() -> assertThat(others.size()).isGreaterThan(4 * OTHERS_PER_SECOND));
    try (InputStream reader = trace("full")) {
      assertThat(reader.readNBytes(50 << 20)).hasSize(50 << 20);
    } // and goes away in the middle
    othersWereServed(pace);
    assertThat(providers.dripsOpen()).isPositive();
    assertThat(slow).noneMatch(CompletableFuture::isCompletedExceptionally);
  }
}
