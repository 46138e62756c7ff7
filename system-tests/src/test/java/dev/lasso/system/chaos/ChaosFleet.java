package dev.lasso.system.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.system.Fleet;
import dev.lasso.system.FreePort;
import dev.lasso.system.LassoCommand;
import dev.lasso.system.TestProviders;
import dev.lasso.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Every {@link Member} as a process, at the same port whichever process has the place. Knows which
 * gateways a balancer would send callers to. Each member belongs to one thread at a time; different
 * ones may be handled at once. Closing it ends all, and fails when one logged an error.
 */
final class ChaosFleet implements AutoCloseable {
  /** The profile that is served. */
  static final String PROFILE = "chaos";

  static final String RPC = "/rpc/profile/" + PROFILE + "/main";
  private static final Duration SERVES_WITHIN = Duration.ofMinutes(3);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int TERMINATED = 143;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final Map<Member, Integer> ports = new LinkedHashMap<>();
  private final Map<Member, LassoCommand> processes = new ConcurrentHashMap<>();
  private final Map<Member, Long> startedAtMs = new ConcurrentHashMap<>();
  private final List<Member> rotation = new CopyOnWriteArrayList<>();
  private final Fleet fleet;

  /** A fleet whose state goes below {@code directory}; nothing runs yet. */
  ChaosFleet(Path directory) {
    fleet = new Fleet(directory);
    for (Member member : Member.all()) {
      ports.put(member, FreePort.next());
    }
  }

  /** Starts everything and puts the profile in force; returns when every process serves. */
  void start(TestProviders providers) {
    start(new Member(Member.Role.BROKER, 1));
    fleet.createTopics();
    // the longest outage must fit into the longest gap that is filled
    fleet.apply(
        TestProviders.head(PROFILE)
                .replace(
                    "    providers:\n",
                    "    subscription:\n      max_backfill_blocks: 500\n    providers:\n")
            + providers.webSocketProvider("one")
            + providers.webSocketProvider("two")
            + providers.provider("three", "three"));
    List<Member> roles = Member.all().stream().filter(member -> !isBroker(member)).toList();
    // two at a time: more only make each other slow
    for (int i = 0; i < roles.size(); i += 2) {
      List<Member> next = roles.subList(i, Math.min(i + 2, roles.size()));
      next.forEach(this::start);
      next.forEach(this::awaitServing);
    }
  }

  private static boolean isBroker(Member member) {
    return member.role() == Member.Role.BROKER;
  }

  /** Where Kafka is. */
  String kafka() {
    return fleet.kafka();
  }

  /** Where a member listens, {@code host:port}. */
  String address(Member member) {
    return "127.0.0.1:" + ports.get(member);
  }

  /** When the process that has a place now was started, milliseconds since the epoch. */
  long startedAtMs(Member member) {
    return startedAtMs.getOrDefault(member, Long.MAX_VALUE);
  }

  /**
   * The gateways that callers are sent to: those that were ready when a balancer looked last. One
   * that dies is among them until its successor starts, as no balancer knows at once.
   */
  List<Member> rotation() {
    return List.copyOf(rotation);
  }

  /** SIGKILL; returns when the process is gone. */
  void kill(Member member) {
    process(member).kill();
  }

  /** SIGSTOP. */
  void pause(Member member) {
    process(member).pause();
  }

  /** SIGCONT. */
  void resume(Member member) {
    process(member).resume();
  }

  /** SIGTERM; returns when the process has ended as it should. */
  void terminate(Member member) {
    LassoCommand process = process(member);
    process.terminate();
    assertThat(process.exitCode()).as("exit code of %s: %s", member, process).isEqualTo(TERMINATED);
  }

  private LassoCommand process(Member member) {
    LassoCommand process = processes.get(member);
    if (process == null) {
      throw new AssertionError(member + " was never started");
    }
    return process;
  }

  /** Gives a place to another process; returns before that serves, unless it is the broker. */
  void start(Member member) {
    rotation.remove(member);
    startedAtMs.put(member, System.currentTimeMillis());
    processes.put(
        member,
        isBroker(member) ? fleet.broker() : fleet.start(member.role().word(), port(member)));
  }

  private int port(Member member) {
    Integer port = ports.get(member);
    return port == null ? 0 : port;
  }

  /** Blocks until a process that was started or continued says that it serves. */
  void awaitServing(Member member) {
    if (isBroker(member)) {
      return;
    }
    Await.await()
        .atMost(SERVES_WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> assertThat(serves(member)).as("%s serves: %s", member, process(member)).isTrue());
    if (member.role() == Member.Role.GATEWAY && !rotation.contains(member)) {
      rotation.add(member);
    }
  }

  private boolean serves(Member member) {
    try {
      HttpRequest ready =
          HttpRequest.newBuilder(URI.create("http://" + address(member) + "/health/ready"))
              .timeout(PATIENCE)
              .build();
      return http.send(ready, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The members that a process has the place of. */
  Set<Member> members() {
    return ports.keySet();
  }

  /** Writes what every process that has a place has said so far, a file for each. */
  void keepLogs(Path to) {
    try {
      Files.createDirectories(to);
      for (Map.Entry<Member, LassoCommand> one : processes.entrySet()) {
        Files.write(to.resolve(one.getKey() + ".log"), one.getValue().lines());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    http.close();
    fleet.close();
  }
}
