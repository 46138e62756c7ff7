package dev.lasso.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The recorder against a real broker, and against none. */
@ExtendWith(BrokerExtension.class)
class RecorderIT {
  private static final RecorderPolicy OFTEN =
      new RecorderPolicy(1 << 12, 1_000, 5, 5, 200, 20_000, 100, 10, 200);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private Recorder recorder(String bootstrap, TopicCatalogue topics, String prefix) {
    KafkaConnection connection = new KafkaConnection(bootstrap, prefix, "recorder-it", Map.of());
    KafkaSink sink =
        new KafkaSink(
            topics,
            connection.producer(
                "recorder",
                new ProducerLimits(0, 32L << 20, 100, 30_000),
                new ByteArraySerializer(),
                new ByteArraySerializer()),
            meters);
    return new Recorder(Region.of("local"), "p1", OFTEN, sink, meters, InstantSource.system());
  }

  private static Attempt attempt(AttemptOutcome outcome) {
    return attempt("a", outcome);
  }

  private static Attempt attempt(String provider, AttemptOutcome outcome) {
    return new Attempt(
        Region.of("local"),
        "p1",
        ProfileSlug.of("default"),
        ChainId.of(1),
        new Channel(ProviderId.of(provider), InstanceId.of(provider + "-0"), Transport.HTTP),
        "eth_call",
        new RequestId("r"),
        System.currentTimeMillis(),
        12.5,
        outcome,
        0,
        0);
  }

  private static AttemptOutcome timeout() {
    return new AttemptOutcome.Failure(ErrorClass.TIMEOUT, null, null, "no answer", null);
  }

  @Test
  void attemptsAndDigestsReachTheirTopics(TestBroker broker) {
    TopicCatalogue topics =
        new TopicCatalogue(TopicSettings.defaults().withPrefix(broker.topicPrefix()));
    broker.createTopics("attempts", "latency-digests", "routing-decisions");
    KafkaConnection connection =
        new KafkaConnection(
            broker.bootstrapServers(), broker.topicPrefix(), "recorder-it", Map.of());
    Recorder recorder = recorder(broker.bootstrapServers(), topics, broker.topicPrefix());
    recorder.start();
    List<Attempt> attempts = new ArrayList<>();
    List<LatencyDigest> digests = new ArrayList<>();
    try (Consumer<byte[], byte[]> reader = connection.reader("check")) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (String topic : List.of(topics.attempts().name(), topics.latencyDigests().name())) {
        reader
            .partitionsFor(topic)
            .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
      }
      reader.assign(partitions);
      reader.seekToBeginning(partitions);
      Await.until(
          () -> {
            // until the producer knows the topic, records are dropped
            recorder.attempted(attempt("warm", timeout()));
            read(reader, topics, attempts, digests);
            assertThat(attempts).isNotEmpty();
          });
      for (int i = 0; i < 50; i++) {
        recorder.attempted(attempt(new AttemptOutcome.Success()));
      }
      recorder.attempted(attempt(timeout()));
      Await.until(
          () -> {
            read(reader, topics, attempts, digests);
            attempts.removeIf(attempt -> attempt.channel().provider().value().equals("warm"));
            digests.removeIf(digest -> digest.channel().provider().value().equals("warm"));
            assertThat(attempts).anyMatch(attempt -> attempt.outcome().penalised());
            assertThat(digests.stream().mapToLong(LatencyDigest::successes).sum()).isEqualTo(50);
          });
    } finally {
      recorder.close();
    }
    Attempt failure =
        attempts.stream()
            .filter(attempt -> !attempt.outcome().succeeded())
            .findFirst()
            .orElseThrow();
    assertThat(attempts.size() - 1 + failure.successesBefore()).isEqualTo(50);
    assertThat(digests.stream().mapToLong(LatencyDigest::penalisedFailures).sum()).isEqualTo(1);
  }

  private static void read(
      Consumer<byte[], byte[]> reader,
      TopicCatalogue topics,
      List<Attempt> attempts,
      List<LatencyDigest> digests) {
    for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(100))) {
      if (record.topic().equals(topics.attempts().name())) {
        attempts.add(Objects.requireNonNull(topics.attempts().read(record).value()));
      } else {
        digests.add(Objects.requireNonNull(topics.latencyDigests().read(record).value()));
      }
    }
  }

  @Test
  void withoutKafkaHandingOverGoesOnAndLossesAreCounted() {
    TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults().withPrefix("away."));
    Recorder recorder = recorder("127.0.0.1:1", topics, "away.");
    recorder.start();
    Await.until(
        () -> {
          recorder.attempted(attempt(timeout()));
          assertThat(
                  meters
                      .get("lasso.recorder.dropped")
                      .tag("kind", "attempt")
                      .tag("reason", "kafka_away")
                      .counter()
                      .count())
              .isGreaterThan(20);
        });
    recorder.close();
  }
}
