package dev.lasso.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.settings.SettingsException;
import dev.lasso.testkit.ManualClock;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

class KafkaConnectionTest {
  private static final ProcessId PROCESS = ProcessId.starting("gateway", "eu", new ManualClock());

  @Test
  void environmentVariablesBecomeClientProperties() {
    KafkaConnection connection =
        KafkaConnection.of(
            "kafka:9092",
            "lasso.",
            PROCESS,
            Map.of(
                "LASSO_KAFKA_SASL_MECHANISM",
                "PLAIN",
                "LASSO_KAFKA_BATCH_SIZE",
                "1000",
                "HOME",
                "/root"));

    assertThat(connection.client("test", ProducerConfig.configNames(), Map.of("batch.size", 1)))
        .containsEntry("sasl.mechanism", "PLAIN")
        .containsEntry("batch.size", "1000")
        .containsEntry("bootstrap.servers", "kafka:9092")
        .containsEntry("client.id", PROCESS.process() + "-test");
    assertThat(connection.client("test", AdminClientConfig.configNames(), Map.of()))
        .containsEntry("sasl.mechanism", "PLAIN")
        .doesNotContainKey("batch.size");
  }

  @Test
  void anUnknownPropertyIsAnError() {
    assertThatThrownBy(
            () ->
                KafkaConnection.of(
                    "kafka:9092", "lasso.", PROCESS, Map.of("LASSO_KAFKA_SASL_MECANISM", "PLAIN")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("LASSO_KAFKA_SASL_MECANISM")
        .hasMessageContaining("did you mean LASSO_KAFKA_SASL_MECHANISM?");
  }

  @Test
  void credentialsAreNeverShown() {
    KafkaConnection connection =
        KafkaConnection.of(
            "kafka:9092", "lasso.", PROCESS, Map.of("LASSO_KAFKA_SASL_JAAS_CONFIG", "hunter2"));

    assertThat(connection.toString()).contains("sasl.jaas.config").doesNotContain("hunter2");
  }

  @Test
  void topicsCarryThePrefix() {
    assertThat(KafkaConnection.of("kafka:9092", "lasso.", PROCESS).topic("probes"))
        .isEqualTo("lasso.probes");
  }

  @Test
  void anAddressIsNeeded() {
    assertThatThrownBy(() -> KafkaConnection.of(" ", "lasso.", PROCESS))
        .hasMessageContaining("host:port");
  }

  @Test
  void limitsThatKafkaWouldRefuseAreRefusedHere() {
    assertThatThrownBy(() -> new ProducerLimits(5, 1_000, 100, 30_000))
        .hasMessageContaining("16 MiB");
    assertThatThrownBy(() -> new ProducerLimits(5, 1L << 25, 100, 9_000))
        .hasMessageContaining("deliveryTimeoutMs");
    assertThatThrownBy(() -> new ProducerLimits(-1, 1L << 25, 100, 30_000))
        .hasMessageContaining("lingerMs");
  }
}
