package dev.lasso.system.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

/**
 * Whether what each gateway knows is current after the last fault: every process there and nobody
 * behind, heights and health of every provider, latency of methods; and whether every subscriber
 * is. Called by one thread.
 */
final class Views implements AutoCloseable {
  private static final Duration GIVE_UP = Duration.ofSeconds(90);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long EVERY_NS = 200_000_000;
  private static final long SAY_EVERY_NS = 10_000_000_000L;
  private static final int BEHIND_BLOCKS = 4;
  private static final long BEHIND_RECORDS = 200;

  /** A heartbeat and a half. */
  private static final long SEEN_MS = 4_500;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final ChaosFleet fleet;
  private final Truth truth;
  private final Consumer<String> say;
  private final Map<String, View> views = new LinkedHashMap<>();

  /** Says what a view lacks; empty when it is current. */
  private interface View {
    Optional<String> lacks(long sinceMs) throws IOException, InterruptedException;
  }

  /**
   * What became of the views.
   *
   * @param currentAfterMs for each how long after the last fault it was current for good; absent
   *     when it never was
   * @param lacks what those lack that never were
   */
  record Outcome(Map<String, Long> currentAfterMs, Map<String, String> lacks) {}

  Views(
      ChaosFleet fleet,
      Truth truth,
      List<Subscriber> subscribers,
      FilterPoller filter,
      Consumer<String> say) {
    this.fleet = fleet;
    this.truth = truth;
    this.say = say;
    for (Member gateway : Member.of(Member.Role.GATEWAY)) {
      views.put(gateway + " processes", _ -> processes(gateway));
      views.put(gateway + " no ghosts", _ -> ghosts(gateway));
      views.put(gateway + " lag of consumers", _ -> behind(gateway));
      views.put(gateway + " heights", _ -> heights(gateway));
      views.put(gateway + " health", sinceMs -> health(gateway, sinceMs));
      views.put(gateway + " latencies", sinceMs -> latencies(gateway, sinceMs));
    }
    views.put(
        "subscribers",
        _ ->
            subscribers.stream()
                .filter(one -> one.told().lastHead() < truth.head() - BEHIND_BLOCKS)
                .map(one -> one + ", the chain is at " + truth.head())
                .findFirst());
    views.put(
        "filter",
        _ ->
            filter.last() < truth.head() - BEHIND_BLOCKS
                ? Optional.of("told up to %d of %d".formatted(filter.last(), truth.head()))
                : Optional.empty());
  }

  /**
   * Looks until every view is current at the same time.
   *
   * @param sinceNs the last fault, on the clock of {@link System#nanoTime}
   * @param sinceMs the same, milliseconds since the epoch
   */
  Outcome awaitCurrent(long sinceNs, long sinceMs) throws InterruptedException {
    Map<String, Long> currentAfterMs = new LinkedHashMap<>();
    Map<String, String> lacks = new LinkedHashMap<>();
    long sayAtNs = System.nanoTime() + SAY_EVERY_NS;
    do {
      lacks.clear();
      for (Map.Entry<String, View> view : views.entrySet()) {
        Optional<String> lack = look(view.getValue(), sinceMs);
        if (lack.isPresent()) {
          lacks.put(view.getKey(), lack.get());
          currentAfterMs.remove(view.getKey());
        } else {
          currentAfterMs.putIfAbsent(view.getKey(), (System.nanoTime() - sinceNs) / 1_000_000);
        }
      }
      if (!lacks.isEmpty() && System.nanoTime() - sayAtNs > 0) {
        sayAtNs += SAY_EVERY_NS;
        lacks.forEach((view, lack) -> say.accept("          " + view + ": " + lack));
      }
      LockSupport.parkNanos(this, EVERY_NS);
    } while (!lacks.isEmpty() && System.nanoTime() - sinceNs < GIVE_UP.toNanos());
    return new Outcome(currentAfterMs, lacks);
  }

  private static Optional<String> look(View view, long sinceMs) throws InterruptedException {
    try {
      return view.lacks(sinceMs);
    } catch (IOException e) {
      return Optional.of(e.toString());
    }
  }

  private JsonNode page(Member gateway, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create("http://" + fleet.address(gateway) + path))
                .timeout(PATIENCE)
                .build(),
            BodyHandlers.ofString());
    return Truth.JSON.readTree(answer.body());
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private List<JsonNode> listed(Member gateway) throws IOException, InterruptedException {
    return list(page(gateway, "/api/topology").path("processes"));
  }

  /** Of each role as many as there are places, none older than the one that took the place. */
  private Optional<String> processes(Member gateway) throws IOException, InterruptedException {
    List<JsonNode> listed = listed(gateway);
    for (Member.Role role : Member.Role.values()) {
      List<Long> places = Member.of(role).stream().map(fleet::startedAtMs).sorted().toList();
      List<Long> there =
          listed.stream()
              .filter(process -> isThere(role, process))
              .map(process -> process.path("started_at_ms").asLong())
              .sorted()
              .toList();
      for (int i = 1; i <= places.size() && role != Member.Role.BROKER; i++) {
        if (there.size() < i || there.get(there.size() - i) < places.get(places.size() - i)) {
          return Optional.of("not every %s is there and ready: %s".formatted(role.word(), listed));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isThere(Member.Role role, JsonNode process) {
    return process.path("role").asText().equals(role.word())
        && process.path("seen_ms_ago").asLong() <= SEEN_MS
        && process.path("status").asText().equals("ready")
        && !process.path("stopping").asBoolean();
  }

  /** Processes that are no more must not be listed any more. */
  private Optional<String> ghosts(Member gateway) throws IOException, InterruptedException {
    List<JsonNode> listed = listed(gateway);
    return listed.size() > fleet.members().size() - 1
        ? Optional.of(listed.size() + " processes are listed: " + listed)
        : Optional.empty();
  }

  private Optional<String> behind(Member gateway) throws IOException, InterruptedException {
    for (JsonNode process : listed(gateway)) {
      for (JsonNode lag : process.path("lag")) {
        if (lag.asLong() > BEHIND_RECORDS) {
          return Optional.of(process.toString());
        }
      }
    }
    return Optional.empty();
  }

  private JsonNode providers(Member gateway) throws IOException, InterruptedException {
    return page(gateway, "/api/providers/main?profile=" + ChaosFleet.PROFILE);
  }

  private Optional<String> heights(Member gateway) throws IOException, InterruptedException {
    JsonNode page = providers(gateway);
    long enough = truth.head() - BEHIND_BLOCKS;
    List<Long> heights = new ArrayList<>(List.of(page.path("consensus_height").asLong(-1)));
    page.path("providers").forEach(one -> heights.add(one.path("height").asLong(-1)));
    return heights.size() < 4 || heights.stream().anyMatch(height -> height < enough)
        ? Optional.of("%s, the chain is at %d".formatted(heights, truth.head()))
        : Optional.empty();
  }

  private Optional<String> health(Member gateway, long sinceMs)
      throws IOException, InterruptedException {
    for (JsonNode provider : providers(gateway).path("providers")) {
      JsonNode seen = provider.path("transports").path("http");
      if (!seen.path("status").asText().equals("healthy")
          || !seen.path("circuit").asText().equals("closed")
          || seen.has("rejected")
          || seen.path("last_probe_at_ms").asLong() < sinceMs) {
        return Optional.of(provider.toString());
      }
    }
    return Optional.empty();
  }

  private Optional<String> latencies(Member gateway, long sinceMs)
      throws IOException, InterruptedException {
    JsonNode methods =
        page(gateway, "/api/metrics/main?profile=" + ChaosFleet.PROFILE).path("methods");
    for (String method : List.of("eth_getBlockByNumber", "eth_call", "eth_getLogs")) {
      for (JsonNode row : methods.path(method)) {
        if (row.path("updated_at_ms").asLong() < sinceMs) {
          return Optional.of(method + " " + row);
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    http.close();
  }
}
