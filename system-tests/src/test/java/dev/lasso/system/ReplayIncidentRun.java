package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.system.IncidentTraffic.Seen;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lasso replay} after an incident whose script is known: what it tells is held against what
 * was done to the providers and what the callers saw. All tests ask about the same incident. Not
 * part of the build: what it expects of latencies and timeouts needs a machine that is not busy
 * with other work, see docs/testing.md.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplayIncidentRun {
  private static final long SLACK_MS = 3_000;

  /** Methods whose requests never share an answer, so that each is decided by itself. */
  private static final Set<String> OWN_ANSWER = Set.of("eth_getBalance", "eth_call");

  private Incident incident;

  @BeforeAll
  void happen(@TempDir Path directory) throws Exception {
    incident = new Incident(directory);
    incident.happen();
  }

  @AfterAll
  void end() {
    incident.close();
  }

  @Test
  void theTimelineTellsWhatWasDone() {
    List<JsonObject> told =
        new JsonArray(incident.replay("timeline", "--json"))
            .stream().map(JsonObject.class::cast).toList();

    // what the script did to shaky, in its order
    JsonObject slow = first(told, "latency", "shaky", "slower: median of");
    JsonObject limited = first(told, "rate-limit", "shaky", "rate-limited");
    JsonObject lies = first(told, "head", "shaky", "showed an implausible head");
    within(slow, "slow", "shaky limited");
    within(limited, "shaky limited", "shaky lies");
    within(lies, "shaky lies", "away");
    assertThat(told).containsSubsequence(slow, limited, lies);

    within(
        first(told, "circuit", "alpha", "circuit opened after", "network_error", "refused"),
        "dead",
        "hangs");
    within(first(told, "failures", "alpha", "network_error"), "dead", "hangs");
    within(first(told, "unserved", "lonely", "nobody could serve 3 requests"), "dead", "hangs");
    within(first(told, "failures", "beta", "timeout"), "hangs", "lags");
    within(first(told, "rate-limit", "gamma", "rate-limited"), "limited", "lags");
    within(first(told, "lag", "delta", "lagged", "(3 allowed)"), "lags", "lag ends");
    within(first(told, "reorg", "main", "reorg: 3 blocks removed"), "reorg", "shaky lies");
    within(
        first(
            told,
            "profile",
            "chaos",
            "strategy load_balanced → fastest",
            "provider gamma removed",
            "provider delta changed (priority 4 → 1)"),
        "changed",
        "changed and known");
    within(first(told, "circuit", "alpha", "circuit closed: serving again"), "limited", "over");
    for (String role : List.of("gateway", "health", "blocksync", "benchmark", "subscription")) {
      assertThat(first(told, "process", role, "started, version").getString("process"))
          .startsWith(role);
    }
    // a second health process came and went, and work changed hands
    JsonObject came = last(told, "process", "health", "started");
    within(came, "changed", "away");
    assertThat(matching(told, "process", came.getString("process"), "took over")).isNotEmpty();
    assertThat(matching(told, "process", came.getString("process"), "stopped")).isNotEmpty();
    assertThat(matching(told, "process", "health", "gave away")).isNotEmpty();
  }

  private static JsonObject first(List<JsonObject> told, String kind, String whom, String... text) {
    return matching(told, kind, whom, text).getFirst();
  }

  private static JsonObject last(List<JsonObject> told, String kind, String whom, String... text) {
    return matching(told, kind, whom, text).getLast();
  }

  private static List<JsonObject> matching(
      List<JsonObject> told, String kind, String whom, String... text) {
    List<JsonObject> found =
        told.stream()
            .filter(entry -> entry.getString("kind").equals(kind))
            .filter(
                entry ->
                    List.of("provider", "profile", "chain", "process").stream()
                        .anyMatch(key -> String.valueOf(entry.getString(key)).startsWith(whom)))
            .filter(entry -> List.of(text).stream().allMatch(entry.getString("text")::contains))
            .toList();
    assertThat(found).as("%s of %s, %s in %s", kind, whom, List.of(text), told).isNotEmpty();
    return found;
  }

  /** It began between two steps of the script, as far as clocks and intervals can tell. */
  private void within(JsonObject entry, String from, String to) {
    assertThat(Instant.parse(entry.getString("at")).toEpochMilli())
        .as(entry.encode())
        .isBetween(incident.beganMs(from) - SLACK_MS, incident.beganMs(to) + SLACK_MS);
  }

  @Test
  void explainGivesTheTrueReasonOfTenRequests() {
    List<Sample> sample = new ArrayList<>();
    pick(
        sample,
        2,
        "circuit open",
        seen ->
            seen.phase().equals("dead and known")
                && isChaos(seen)
                && !seen.method().equals("eth_call"));
    pick(sample, 1, "circuit open", seen -> seen.phase().equals("lonely") && seen.status() == 503);
    pick(
        sample,
        1,
        "hung",
        seen ->
            seen.phase().equals("hangs")
                && isChaos(seen)
                && seen.method().equals("eth_getBalance")
                && seen.attempts() > 1);
    pick(sample, 2, "lag", seen -> seen.phase().equals("lags and known") && isChaos(seen));
    pick(sample, 1, "changed", seen -> seen.phase().equals("changed and known") && isChaos(seen));
    pick(
        sample,
        2,
        "rate limit",
        seen ->
            seen.phase().equals("reorg")
                && !isChaos(seen)
                // by latency another one may lead for another reason
                && seen.strategy().equals("priority")
                && !seen.provider().equals("shaky"));
    pick(
        sample,
        1,
        "slow",
        seen ->
            seen.phase().equals("hangs")
                && !isChaos(seen)
                && seen.strategy().equals("priority")
                && seen.provider().equals("shaky"));
    List<String> command = new ArrayList<>(List.of("explain", "--json"));
    sample.forEach(one -> command.add(one.seen().id()));
    JsonArray explained = new JsonArray(incident.replay(command.toArray(String[]::new)));

    assertThat(explained).hasSize(10);
    for (Sample each : sample) {
      Seen seen = each.seen();
      JsonObject one =
          explained.stream()
              .map(JsonObject.class::cast)
              .filter(found -> found.getString("request_id").equals(seen.id()))
              .findFirst()
              .orElseThrow();
      assertThat(one.getString("verdict")).endsWith("the same, byte for byte");
      assertThat(one.getString("method")).isEqualTo(seen.method());
      assertThat(one.getString("strategy")).isEqualTo(seen.strategy());
      assertThat(one.getString("outcome"))
          .isEqualTo(seen.status() == 200 ? "answered" : "exhausted");
      assertReason(each, one);
    }
  }

  private static boolean isChaos(Seen seen) {
    return seen.profile().equals("chaos");
  }

  /** A request and the reason why it fared as it did. */
  private record Sample(String reason, Seen seen) {}

  private void pick(List<Sample> into, int count, String reason, Predicate<Seen> wanted) {
    List<Sample> found =
        incident.seen().stream()
            .filter(seen -> seen.status() == 200 || seen.status() == 503)
            .filter(seen -> OWN_ANSWER.contains(seen.method()))
            .filter(wanted)
            .limit(count)
            .map(seen -> new Sample(reason, seen))
            .toList();
    assertThat(found).as(reason).hasSize(count);
    into.addAll(found);
  }

  /** The reason that the script gave. */
  private static void assertReason(Sample sample, JsonObject one) {
    String text = one.encode();
    switch (sample.reason()) {
      case "circuit open" -> {
        assertThat(rejection(one, "alpha http")).as(text).isEqualTo("CIRCUIT_OPEN");
        assertThat(one.getJsonArray("plan").contains("alpha http")).as(text).isFalse();
      }
      case "hung" ->
          assertThat(attempts(one, "beta"))
              .as(text)
              .isNotEmpty()
              .noneMatch(outcome -> outcome.equals("success"));
      case "lag" -> {
        assertThat(rejection(one, "delta http")).as(text).isEqualTo("LAGGING");
        assertThat(text).contains("behind)");
      }
      case "changed" -> assertThat(text).doesNotContain("gamma").contains("delta");
      case "rate limit" -> {
        boolean refused = attempts(one, "shaky").stream().anyMatch(o -> o.startsWith("rate_limit"));
        boolean avoided = text.contains("rate-limited for") || text.contains("own rate limit for");
        assertThat(refused || avoided).as(text).isTrue();
        assertThat(attempts(one, sample.seen().provider())).as(text).contains("success");
      }
      case "slow" -> {
        assertThat(one.getJsonArray("plan").getString(0)).as(text).startsWith("shaky");
        assertThat(one.getDouble("total_ms")).as(text).isGreaterThan(440);
      }
      default -> throw new AssertionError(sample);
    }
  }

  private static String rejection(JsonObject explained, String channel) {
    return explained.getJsonArray("rejections").stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("channel").equals(channel))
        .map(each -> each.getString("reason"))
        .findFirst()
        .orElse("not left out");
  }

  /** How the attempts at a provider went. */
  private static List<String> attempts(JsonObject explained, String provider) {
    return explained.getJsonArray("attempts").stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("channel").startsWith(provider + " "))
        .map(each -> each.getString("outcome"))
        .toList();
  }
}
