package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lasso replay serve} over five recorded seconds in which provider alpha dies: its pages and
 * topics show it as it came.
 */
class ReplayServeSystemIT {
  private static final Path TRACE =
      Path.of("..", "launcher", "src", "test", "resources", "replay", "incident-1.trace")
          .toAbsolutePath()
          .normalize();

  @TempDir private Path directory = Path.of(".");

  @Test
  void relivesAPeriodAtAChosenSpeed() {
    try (LassoCommand serve =
        LassoCommand.start(
            directory, "replay", "serve", "--trace", TRACE.toString(), "--speed", "0.25")) {
      Rpc gateway = new Rpc(serve.ready().http());
      // what was known before is there at once, and what came two seconds later is not
      Await.until(() -> assertThat(circuit(gateway, "alpha")).isEqualTo("closed"));
      assertThat(Fleet.ids(gateway, "chaos")).containsExactly("alpha", "beta", "gamma", "delta");
      Await.until(() -> assertThat(circuit(gateway, "alpha")).isEqualTo("open"));
      assertThat(circuit(gateway, "beta")).isEqualTo("closed");
      JsonObject page = gateway.page("/api/providers/main?profile=chaos");
      assertThat(page.getLong("consensus_height")).isBetween(430L, 440L);
      assertThat(gateway.get("/metrics").body()).contains("lasso_");

      // nobody calls the real providers
      JsonObject refused =
          new JsonObject(gateway.post("/rpc/profile/chaos/main", Rpc.BALANCE).body());
      assertThat(refused.getJsonObject("error").getString("message"))
          .isEqualTo("All providers failed");

      Await.await()
          .atMost(Duration.ofSeconds(90))
          .until(
              () -> serve.output().stream().anyMatch(line -> line.startsWith("lasso replay over")));
      assertThat(records(serve.ready().kafka(), "lasso.instance-health")).isPositive();
      assertThat(records(serve.ready().kafka(), "lasso.routing-decisions"))
          .isGreaterThanOrEqualTo(115);
      serve.terminate();
      assertThat(serve.exitCode()).isIn(0, 143);
    }
  }

  private static String circuit(Rpc gateway, String id) {
    return String.valueOf(Fleet.provider(gateway, "chaos", id).getString("fleet_circuit"));
  }

  private static long records(String kafka, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      return consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
