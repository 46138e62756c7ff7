package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.KafkaLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The network between a gateway and Kafka becomes slow, then passes nothing, then heals, while the
 * services and the broker are well.
 */
class KafkaLinkSystemIT {
  /** How long each state of the network is measured. */
  private static final Duration MEASURED =
      Duration.ofSeconds(Long.getLong("lasso.system.link.seconds", 4));

  private static final Duration SLOW = Duration.ofMillis(500);

  /** Kafka's clients give up a record so soon, so that it is seen here what becomes of it. */
  private static final Map<String, String> IMPATIENT =
      Map.of("LASSO_KAFKA_REQUEST_TIMEOUT_MS", "2000", "LASSO_KAFKA_DELIVERY_TIMEOUT_MS", "2500");

  private static final String SLUG = "linked";

  private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());

  @Test
  void noCallerNoticesWhatTheNetworkToKafkaDoes(@TempDir Path directory) {
    try (TestProviders providers = TestProviders.start("one", "two", "three");
        Fleet fleet = new Fleet(directory)) {
      fleet.broker();
      fleet.createTopics();
      fleet.apply(providers.profile(SLUG, "one", "two"));
      try (KafkaLink link = KafkaLink.to(fleet.kafkaPort())) {
        LassoCommand health = fleet.start("health", 0);
        LassoCommand blocksync = fleet.start("blocksync", 0);
        LassoCommand command = fleet.startAt(link.address(), "gateway", 0, IMPATIENT);
        Rpc gateway = new Rpc(command.ready().http());
        health.ready();
        blocksync.ready();
        awaitBoth(gateway);
        try (BlockReaders readers =
            BlockReaders.start(gateway, "/rpc/profile/" + SLUG + "/main", providers.chain())) {
          readers.during(MEASURED); // the JVM warms up
          tell("as it is", readers.during(MEASURED), command);

          link.slow(SLOW);
          tell("500 ms slower", readers.during(MEASURED), command);
          assertThat(gateway.get("/health/ready").statusCode()).isEqualTo(200);

          link.drop();
          BlockReaders.Times dropped = readers.during(MEASURED);
          Fleet.await("degraded", List.of(gateway));
          assertThat(gateway.get("/health/ready").body()).contains(link.address());
          Await.until(() -> assertThat(undelivered(gateway)).isPositive());
          tell("nothing passes", dropped, command);
          tell("nothing passes, later", readers.during(MEASURED), command);

          fleet.apply(providers.profile(SLUG, "one", "two", "three"));
          long height = height(gateway);
          long healedMs = System.currentTimeMillis();
          assertThat(Fleet.ids(gateway, SLUG)).containsExactly("one", "two");
          link.heal();
          tell("healed", readers.during(MEASURED), command);

          Fleet.await("ready", List.of(gateway));
          Await.until(
              () -> assertThat(Fleet.ids(gateway, SLUG)).containsExactly("one", "two", "three"));
          Await.until(() -> assertThat(height(gateway)).isGreaterThan(height));
          awaitDecisionSince(fleet, healedMs);
          assertThat(readers.failures()).isEmpty();
        }
      }
    }
  }

  private static void tell(String network, BlockReaders.Times times, LassoCommand gateway) {
    Figures.print(
        "network to Kafka %s: %s, %s MiB resident"
            .formatted(network, times, residentMib(gateway.pid())));
  }

  /** Both providers are known to be well, and where the chain is. */
  private static void awaitBoth(Rpc gateway) {
    for (String id : List.of("one", "two")) {
      Await.until(
          () ->
              assertThat(Fleet.provider(gateway, SLUG, id).getString("fleet_circuit"))
                  .isEqualTo("closed"));
    }
    Await.until(() -> assertThat(height(gateway)).isPositive());
  }

  private static long height(Rpc gateway) {
    Long height =
        gateway.page("/api/providers/main?profile=" + SLUG).getLong("consensus_height", 0L);
    return height == null ? 0 : height;
  }

  /** How many records Kafka's producer took and gave up. */
  private static double undelivered(Rpc gateway) {
    return gateway
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("lasso_recorder_undelivered_total"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private void awaitDecisionSince(Fleet fleet, long fromMs) {
    Topic<?, RoutingDecision> decisions = topics.routingDecisions();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            new HashMap<>(Map.of("bootstrap.servers", fleet.kafka())),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(decisions.name()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Await.await()
          .until(
              () -> {
                boolean found = false;
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                  RoutingDecision decision = decisions.read(record).value();
                  found |= decision != null && decision.decidedAtMs() > fromMs;
                }
                return found;
              });
    }
  }

  /** Memory that a process has of the machine's, as Linux says. */
  private static String residentMib(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .map(line -> Long.toString(Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024))
          .findFirst()
          .orElse("?");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
