package dev.lasso.system;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.trace.TraceFile;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * After an incident with every kind of fault, {@code lasso replay} takes every recorded decision
 * again, from the topics and from an export of them, and each comes out the same.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplaySystemIT {
  /** A directory that gets trace and page of the incident, to look at; null for none. */
  private static final @Nullable String KEEP = System.getProperty("lasso.system.keep");

  private Path directory = Path.of(".");
  private Incident incident;

  @BeforeAll
  void happen(@TempDir Path temporary) throws Exception {
    directory = temporary;
    incident = new Incident(temporary);
    incident.happen();
  }

  @AfterAll
  void end() {
    incident.close();
  }

  @Test
  void everyDecisionComesOutTheSame() {
    JsonObject counts = new JsonObject(incident.replay("decisions", "--json"));
    assertThat(counts.getInteger("different")).as(counts.encode()).isZero();
    assertThat(counts.getInteger("undecidable")).as(counts.encode()).isZero();
    assertThat(counts.getLong("same")).isEqualTo(recordedDecisions()).isGreaterThan(1_000);
    Figures.print("decisions taken again, all the same: " + counts.getLong("same"));
  }

  /** How many stand in the topic, by Kafka's own account. */
  private long recordedDecisions() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", incident.kafka()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor("lasso.routing-decisions").stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      return consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  @Test
  void anExportIsAsGoodAsTheTopicsAndHoldsNoSecret() throws IOException {
    Path trace = directory.resolve("incident.trace");
    Path page = directory.resolve("incident.html");
    incident.replay("export", "--out", trace.toString());
    List<String> verified = LassoCommand.run(directory, "replay", "verify", trace.toString());
    assertThat(verified).contains("complete and readable");
    JsonObject counts =
        new JsonObject(
            String.join(
                "\n",
                LassoCommand.run(
                    directory, "replay", "decisions", "--json", "--trace", trace.toString())));
    assertThat(counts.getLong("same")).as(counts.encode()).isEqualTo(recordedDecisions());
    LassoCommand.run(
        directory, "replay", "report", "--trace", trace.toString(), "--out", page.toString());
    if (KEEP != null) {
      Files.copy(trace, Path.of(KEEP).resolve("incident.trace"), REPLACE_EXISTING);
      Files.copy(page, Path.of(KEEP).resolve("incident.html"), REPLACE_EXISTING);
    }

    for (String text : List.of(records(trace), Files.readString(page))) {
      for (String secret : IncidentProviders.SECRETS) {
        assertThat(text.contains(secret)).as(secret).isFalse();
      }
      assertThat(text.contains(IncidentProviders.CLIENT_KEY)).isFalse();
      assertThat(text).doesNotContain("http://127.0.0.1");
    }
  }

  /** Every key and value of a trace, and its header. */
  private static String records(Path trace) {
    StringBuilder all = new StringBuilder();
    try (TraceFile file = TraceFile.open(trace)) {
      all.append(file.header());
      for (RawRecord record = file.next(); record != null; record = file.next()) {
        for (byte[] part : new byte[][] {record.key(), record.value()}) {
          all.append(part == null ? "" : new String(part, StandardCharsets.ISO_8859_1)).append(' ');
        }
      }
    }
    return all.toString();
  }
}
