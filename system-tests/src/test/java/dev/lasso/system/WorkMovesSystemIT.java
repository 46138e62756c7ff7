package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes of a service share the work around twelve instances. One is killed, and later there
 * are three. A system property says of which services, all at once; see docs/testing.md.
 */
class WorkMovesSystemIT {
  private static final List<String> ROLES =
      List.of(System.getProperty("lasso.system.roles", "health").split(","));
  private static final Duration SESSION = Duration.ofSeconds(6);
  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(2);

  /**
   * What a machine that does too much may add to the time that the settings allow: all of this
   * test's processes share it with other builds, and what moves must be scheduled in several of
   * them one after the other. Less than the session, so that a second one would be noticed.
   */
  private static final Duration BUSY_MACHINE = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final Map<String, String> SETTINGS =
      Map.of(
          "LASSO_STREAMS_SESSION", SESSION.toSeconds() + "s", "LASSO_PRESENCE_INTERVAL", "500ms");

  private static final Pattern PROCESS =
      Pattern.compile("lasso_process_info\\{[^}]*process=\"([^\"]+)\"");

  private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());
  private final ManyChains providers = ManyChains.start(topics.upstreamHeads());
  private final Map<String, List<Member>> members = new LinkedHashMap<>();
  private Fleet fleet;
  private Looks looks;

  /** A process of a role, and the name that it goes by. */
  private record Member(LassoCommand command, String process) {}

  @BeforeEach
  void start(@TempDir Path directory) {
    fleet = new Fleet(directory);
    fleet.broker();
    fleet.createTopics();
    fleet.apply(providers.profile("moving", PROBE_INTERVAL));
    looks = new Looks(fleet.kafka(), topics);
  }

  @AfterEach
  void end() {
    looks.close();
    fleet.close();
    providers.close();
  }

  @Test
  void noInstanceIsLeftAloneWhenProcessesAreKilledAndAddedOnesGetTheirShare() {
    List<String> paths = new ArrayList<>();
    String gateway = "http://127.0.0.1";
    if (ROLES.contains("benchmark")) { // which measures what callers ask for
      gateway = fleet.start("gateway", 0, SETTINGS).ready().http();
      paths.addAll(providers.paths("moving"));
    }
    add(2);
    try (Calls calls = Calls.start(new Rpc(gateway), paths);
        StatusWatch status = StatusWatch.start(fleet)) {
      awaitShared(status);

      Map<String, Member> killed = new HashMap<>();
      members.forEach((role, ofRole) -> killed.put(role, ofRole.removeFirst()));
      final long killedMs = System.currentTimeMillis();
      killed.values().forEach(member -> member.command().kill());
      awaitShared(status, killedMs);
      long survivedMs = System.currentTimeMillis();
      Map<String, Long> alone = longest(killedMs, survivedMs);
      Figures.print("longest time without a look at an instance, one of two killed: " + alone);

      add(2);
      long addedMs = System.currentTimeMillis();
      awaitShared(status, addedMs);
      Map<String, Long> spreading = longest(survivedMs, System.currentTimeMillis());
      Figures.print("longest time without a look at an instance, two more: " + spreading);

      long mostMs = SESSION.plus(PROBE_INTERVAL.multipliedBy(2)).plus(BUSY_MACHINE).toMillis();
      assertThat(alone.values()).allSatisfy(ms -> assertThat(ms).isLessThan(mostMs));
      assertThat(calls.failures()).isEmpty();
    }
  }

  /** Starts so many more of each role; returns when they are ready. */
  private void add(int each) {
    Map<LassoCommand, String> started = new LinkedHashMap<>();
    for (int i = 0; i < each; i++) {
      ROLES.forEach(role -> started.put(fleet.start(role, 0, SETTINGS), role));
    }
    started.forEach(
        (command, role) -> {
          Rpc rpc = new Rpc(command.ready().http());
          members
              .computeIfAbsent(role, _ -> new ArrayList<>())
              .add(new Member(command, process(rpc)));
        });
  }

  private static String process(Rpc rpc) {
    Matcher matcher = PROCESS.matcher(rpc.get("/metrics").body());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private void awaitShared(StatusWatch status) {
    awaitShared(status, System.currentTimeMillis());
  }

  /**
   * Blocks until {@code lasso status} shows every partition at one living process of each role and
   * partitions at each of them, and every instance was looked at since a moment by whoever has its
   * partition.
   */
  private void awaitShared(StatusWatch status, long sinceMs) {
    for (String role : ROLES) {
      Set<String> living = new TreeSet<>();
      members.getOrDefault(role, List.of()).forEach(member -> living.add(member.process()));
      Await.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                Map<Integer, String> owners = status.owners(role, living);
                assertThat(owners.keySet()).as(status.toString()).containsExactly(0, 1, 2, 3, 4, 5);
                assertThat(new TreeSet<>(owners.values())).as(role).isEqualTo(living);
                List<Looks.Look> byOwners =
                    looks.since(role, sinceMs).stream()
                        .filter(
                            look ->
                                look.process().isEmpty()
                                    || look.process().equals(owners.get(look.partition())))
                        .toList();
                assertThat(Looks.instances(byOwners)).as(role).hasSize(providers.providers());
              });
    }
  }

  private Map<String, Long> longest(long fromMs, long untilMs) {
    Map<String, Long> longest = new TreeMap<>();
    ROLES.forEach(role -> longest.put(role, looks.longestMs(role, fromMs, untilMs)));
    return longest;
  }

  /** {@code lasso status --watch}, as a person would look. */
  private record StatusWatch(LassoCommand command) implements AutoCloseable {
    static StatusWatch start(Fleet fleet) {
      return new StatusWatch(
          LassoCommand.start(
              fleet.directory(),
              Map.of("LASSO_PRESENCE_GONE_AFTER", "4s"),
              "status",
              "--kafka",
              fleet.kafka(),
              "--json",
              "--watch",
              "--interval",
              "1"));
    }

    /** What it said last. */
    String latest() {
      List<String> lines = command.output();
      return lines.isEmpty() ? "{}" : lines.getLast();
    }

    /** What there is to know when it says something else than expected. */
    @Override
    public String toString() {
      return command.toString();
    }

    /** Who of these works on each partition; -1 for one that two of them say they have. */
    Map<Integer, String> owners(String role, Set<String> processes) {
      Map<Integer, String> owners = new TreeMap<>();
      JsonArray listed = new JsonObject(latest()).getJsonArray("processes", new JsonArray());
      Set<String> seen = new HashSet<>();
      for (Object one : listed) {
        JsonObject process = (JsonObject) one;
        String name = process.getString("process");
        if (process.getString("role").equals(role) && processes.contains(name)) {
          seen.add(name);
          for (Object work : process.getJsonArray("assignment")) {
            String text = (String) work;
            int partition = Integer.parseInt(text.substring(text.lastIndexOf('-') + 1));
            owners.merge(partition, name, (_, _) -> "two of them");
          }
        }
      }
      return seen.equals(processes) ? owners : Map.of();
    }

    @Override
    public void close() {
      command.close();
    }
  }
}
