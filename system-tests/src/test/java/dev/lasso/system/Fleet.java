package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.profiles.LoadResult;
import dev.lasso.profiles.ProfileFiles;
import dev.lasso.routing.profile.Profile;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A broker and roles, each a process of its own, on ports of this machine. Any thread may start
 * some; closing it ends all of them, the broker last.
 */
public final class Fleet implements AutoCloseable {
  private final Path directory;
  private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());
  private final int kafkaPort = FreePort.next();
  private final List<LassoCommand> processes = new CopyOnWriteArrayList<>();
  private final AtomicInteger roles = new AtomicInteger();

  /** A fleet without any process; state goes below {@code directory}. */
  public Fleet(Path directory) {
    this.directory = directory;
  }

  /** Below it lies what the processes keep. */
  Path directory() {
    return directory;
  }

  /** Where the broker is or will be. */
  public String kafka() {
    return "127.0.0.1:" + kafkaPort;
  }

  /** The port of {@link #kafka()}. */
  int kafkaPort() {
    return kafkaPort;
  }

  /** Starts the broker, on the data that an earlier one left; returns when it is up. */
  public LassoCommand broker() {
    return broker(List.of(), directory.resolve("broker"));
  }

  /**
   * As {@link #broker()}, by another command that becomes it, with its data elsewhere.
   *
   * @param before that command with its arguments
   */
  LassoCommand broker(List<String> before, Path data) {
    LassoCommand broker =
        LassoCommand.startBehind(
            before,
            directory,
            Map.of(),
            "broker",
            "--kafka-port",
            Integer.toString(kafkaPort),
            "--data-dir",
            data.toString());
    processes.addFirst(broker);
    broker.ready();
    return broker;
  }

  /** Creates the topics. */
  public void createTopics() {
    LassoCommand.run(directory, "topics", "apply", "--kafka", kafka());
  }

  /** Starts a role on a port; returns at once. */
  public LassoCommand start(String role, int port) {
    return start(role, port, Map.of());
  }

  /** Starts a role with settings on a port; returns at once. */
  LassoCommand start(String role, int port, Map<String, String> settings) {
    return startAt(kafka(), role, port, settings);
  }

  /** As {@link #start(String, int, Map)} where Kafka is reached in another way. */
  LassoCommand startAt(String kafka, String role, int port, Map<String, String> settings) {
    Map<String, String> variables = new HashMap<>(settings);
    variables.put("LASSO_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    LassoCommand process =
        LassoCommand.start(
            directory,
            variables,
            role,
            "--kafka",
            kafka,
            "--port",
            Integer.toString(port),
            "--data-dir",
            directory.resolve(role + "-" + roles.getAndIncrement()).toString());
    processes.add(process);
    return process;
  }

  /**
   * Puts profiles in force as {@code lasso profiles apply} does, without starting a JVM for it,
   * leaving others alone; returns when Kafka has them.
   */
  public void apply(String... yamls) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (Profile profile : loaded(yamls)) {
        sent.add(producer.send(topics.profiles().encoded(profile)));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get(60, TimeUnit.SECONDS);
      }
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw new AssertionError("profiles could not be applied", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private List<Profile> loaded(String... yamls) throws IOException {
    Path files = Files.createTempDirectory(directory, "profiles");
    for (int i = 0; i < yamls.length; i++) {
      Files.writeString(files.resolve("profile-" + i + ".yml"), yamls[i]);
    }
    return switch (new ProfileFiles(_ -> null, ProfileFiles.Variables.MUST_BE_SET).load(files)) {
      case LoadResult.Valid valid -> valid.profiles();
      case LoadResult.Invalid invalid -> throw new AssertionError(invalid.findings().toString());
    };
  }

  /** Blocks until a process that is being started answers over HTTP. */
  static Rpc answering(int port) {
    Rpc rpc = new Rpc("http://127.0.0.1:" + port);
    Await.await()
        .atMost(LassoCommand.READY_WITHIN)
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .untilAsserted(() -> assertThat(rpc.get("/health/live").statusCode()).isEqualTo(200));
    return rpc;
  }

  /** Blocks until every one of these says so of itself under {@code /health/ready}. */
  static void await(String status, Iterable<Rpc> processes) {
    for (Rpc process : processes) {
      Await.until(
          () -> {
            JsonObject report = process.page("/health/ready");
            assertThat(report.getString("status")).as(report.encode()).isEqualTo(status);
          });
    }
  }

  /** The provider of a profile as a gateway's page shows it, over HTTP; empty when it is none. */
  static JsonObject provider(Rpc gateway, String profile, String id) {
    return provider(gateway, profile, "main", id);
  }

  /** The same of a chain. */
  static JsonObject provider(Rpc gateway, String profile, String chain, String id) {
    JsonArray listed = providers(gateway, profile, chain);
    return listed.stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.getString("id").equals(id))
        .map(one -> one.getJsonObject("transports").getJsonObject("http"))
        .findFirst()
        .orElse(new JsonObject());
  }

  /** The ids of a profile's providers as a gateway's page shows them. */
  static List<String> ids(Rpc gateway, String profile) {
    return ids(gateway, profile, "main");
  }

  /** The same of a chain. */
  static List<String> ids(Rpc gateway, String profile, String chain) {
    return providers(gateway, profile, chain).stream()
        .map(one -> ((JsonObject) one).getString("id"))
        .toList();
  }

  private static JsonArray providers(Rpc gateway, String profile, String chain) {
    return gateway
        .page("/api/providers/" + chain + "?profile=" + profile)
        .getJsonArray("providers", new JsonArray());
  }

  /** Ends every process but the broker. */
  void endRoles() {
    for (LassoCommand process : processes.subList(1, processes.size()).reversed()) {
      process.close();
    }
  }

  @Override
  public void close() {
    AssertionError failure = null;
    if (!processes.isEmpty()) {
      processes.subList(1, processes.size()).forEach(LassoCommand::terminate); // side by side
    }
    for (LassoCommand process : processes.reversed()) {
      try {
        process.close();
      } catch (AssertionError e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
