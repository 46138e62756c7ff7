package dev.lasso.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.ProcessMetrics;
import dev.lasso.runtime.Readiness;
import dev.lasso.runtime.ServiceGroup;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.schemas.MetricsKey;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.schemas.admin.TopicAdmin;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(BrokerExtension.class)
class BenchmarkServiceIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @Test
  void digestsBecomeARowAndUnreadableOnesAreSkipped(TestBroker broker, @TempDir Path directory) {
    TopicCatalogue topics =
        new TopicCatalogue(
            TopicSettings.defaults().withPrefix(broker.topicPrefix()).withPartitions(2));
    try (Admin admin = broker.admin()) {
      new TopicAdmin(admin, topics, DEADLINE).apply();
    }
    Collection<ConsumerRecord<byte[], byte[]>> rejected = new ConcurrentLinkedQueue<>();
    ProcessId id = ProcessId.starting(BenchmarkService.ROLE, "local", InstantSource.system());
    ProcessContext context =
        new ProcessContext(
            id,
            KafkaConnection.of(broker.bootstrapServers(), broker.topicPrefix(), id),
            topics,
            SettingCatalogue.of(BenchmarkService.SETTINGS).read(Map.of()),
            name -> null,
            Vertx.vertx(),
            ProcessMetrics.of(id),
            new Readiness(),
            (record, reader, why) -> rejected.add(record),
            InstantSource.system(),
            directory);
    ServiceGroup services = ServiceGroup.of(BenchmarkService.assemble(context));
    services.start();
    try {
      LatencyDigest digest = digest(System.currentTimeMillis());
      send(context, topics.latencyDigests(), digest);

      ProviderMetrics row = awaitRow(context, topics.providerMetrics());

      assertThat(MetricsKey.of(row)).isEqualTo(MetricsKey.of(digest));
      assertThat(row.calls()).isEqualTo(3);
      assertThat(row.p50Ms()).isBetween(9.5, 10.5);
      assertThat(rejected)
          .hasSize(1)
          .allSatisfy(
              record -> assertThat(record.topic()).isEqualTo(topics.latencyDigests().name()));
    } finally {
      services.stop();
      context.vertx().close().await();
      context.metrics().close();
    }
  }

  /** First a record that nobody can read, then the digest, both in the digest's partition. */
  private static void send(
      ProcessContext context, Topic<MetricsKey, LatencyDigest> topic, LatencyDigest digest) {
    try (Producer<byte[], byte[]> producer =
        context
            .kafka()
            .producer(
                "test",
                ProducerLimits.acknowledged(),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      ProducerRecord<byte[], byte[]> good = topic.encoded(digest);
      var _ =
          producer.send(
              new ProducerRecord<>(
                  good.topic(), good.key(), "no digest".getBytes(StandardCharsets.UTF_8)));
      var _ = producer.send(good);
      producer.flush();
    }
  }

  private static ProviderMetrics awaitRow(
      ProcessContext context, Topic<MetricsKey, ProviderMetrics> topic) {
    Collection<ProviderMetrics> rows = new ConcurrentLinkedQueue<>();
    try (Consumer<byte[], byte[]> consumer = context.kafka().groupMember("test", "test-rows")) {
      consumer.subscribe(List.of(topic.name()));
      Awaitility.await()
          .atMost(DEADLINE)
          .until(
              () -> {
                for (ConsumerRecord<byte[], byte[]> record :
                    consumer.poll(Duration.ofMillis(200))) {
                  ProviderMetrics row = topic.read(record).value();
                  if (row != null) {
                    rows.add(row);
                  }
                }
                return !rows.isEmpty();
              });
    }
    return rows.iterator().next();
  }

  private static LatencyDigest digest(long nowMs) {
    Histogram latencies = new Histogram(2);
    latencies.recordValue(10_000);
    latencies.recordValue(20_000);
    ByteBuffer encoded = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
    latencies.encodeIntoCompressedByteBuffer(encoded);
    encoded.flip();
    return new LatencyDigest(
        Region.of("local"),
        "gateway-1",
        ProfileSlug.of("default"),
        ChainId.of(1),
        new Channel(ProviderId.of("one"), InstanceId.of("node-1"), Transport.HTTP),
        "eth_call",
        nowMs - 2_000,
        nowMs,
        Bytes.copyOf(encoded),
        2,
        Map.of(ErrorClass.TIMEOUT, 1L));
  }
}
