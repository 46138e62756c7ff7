package dev.lasso.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every schema against its committed history. After a change of a schema, run this test once with
 * {@code -Dlasso.history.write=true} to add the new version to the history, then commit the file.
 */
class SchemaHistoryCompatibilityTest {
  private static final TopicCatalogue CATALOGUE = new TopicCatalogue(TopicSettings.defaults());
  private static final Path HISTORY = Path.of("src/main/resources/history");

  static List<Topic<?, ?>> topics() {
    return CATALOGUE.all();
  }

  @ParameterizedTest
  @MethodSource("topics")
  void currentSchemaIsCommitted(Topic<?, ?> topic) throws IOException {
    Schema current = current(topic);
    List<Schema> committed = committed(topic);
    boolean known =
        committed.stream()
            .anyMatch(
                version ->
                    SchemaHistory.fingerprint(version) == SchemaHistory.fingerprint(current));
    if (!known && Boolean.getBoolean("lasso.history.write")) {
      Path file =
          HISTORY.resolve(topic.id().word()).resolve(SchemaHistory.fileName(committed.size() + 1));
      Files.createDirectories(file.getParent());
      Files.writeString(file, SchemaFormatter.format("json/pretty", plain(current)) + "\n");
    } else {
      assertThat(known)
          .as(
              "schema %s of topic %s is in %s; after a compatible change add it with"
                  + " -Dlasso.history.write=true",
              SchemaHistory.hex(SchemaHistory.fingerprint(current)), topic, HISTORY)
          .isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("topics")
  void readsAndIsReadByEveryCommittedVersion(Topic<?, ?> topic) throws IOException {
    Schema current = current(topic);
    for (Schema version : committed(topic)) {
      assertThat(incompatibilities(current, version)).as("current reads committed").isEmpty();
      assertThat(incompatibilities(version, current)).as("committed reads current").isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("topics")
  void everyRecordFieldAndEnumSaysWhatItMeans(Topic<?, ?> topic) {
    List<String> undocumented = new ArrayList<>();
    collectUndocumented(current(topic), undocumented, new LinkedHashSet<>());
    assertThat(undocumented).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("topics")
  void everyNullableFieldDefaultsToNullAndEveryEnumHasADefault(Topic<?, ?> topic) {
    List<String> faults = new ArrayList<>();
    collectWithoutDefault(current(topic), faults, new LinkedHashSet<>());
    assertThat(faults).isEmpty();
  }

  @Test
  void historyWithOneSchemaTwiceIsRefused() {
    Schema schema = current(CATALOGUE.attempts());

    assertThatThrownBy(() -> SchemaHistory.of(TopicName.ATTEMPTS, List.of(schema, schema)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("attempts")
        .hasMessageContaining("twice");
  }

  private static Schema current(Topic<?, ?> topic) {
    return topic.values().schema();
  }

  private static List<Schema> committed(Topic<?, ?> topic) throws IOException {
    List<Schema> versions = new ArrayList<>();
    for (int number = 1; ; number++) {
      Path file = HISTORY.resolve(topic.id().word()).resolve(SchemaHistory.fileName(number));
      if (!Files.exists(file)) {
        return versions;
      }
      versions.add(new Schema.Parser().parse(Files.readString(file)));
    }
  }

  private static List<SchemaCompatibility.Incompatibility> incompatibilities(
      Schema reader, Schema writer) {
    var result = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getResult();
    return result.getCompatibility() == SchemaCompatibilityType.COMPATIBLE
        ? List.of()
        : result.getIncompatibilities();
  }

  /** The schema without the hints for Java that its generated class carries. */
  private static Schema plain(Schema schema) {
    String json =
        schema
            .toString()
            .replace("{\"type\":\"string\",\"avro.java.string\":\"String\"}", "\"string\"")
            .replace(",\"avro.java.string\":\"String\"", "");
    return new Schema.Parser().parse(json);
  }

  private static void collectUndocumented(Schema schema, List<String> faults, Set<String> seen) {
    switch (schema.getType()) {
      case RECORD -> {
        if (seen.add(schema.getFullName())) {
          requireDoc(schema.getDoc(), schema.getName(), faults);
          for (Schema.Field field : schema.getFields()) {
            requireDoc(field.doc(), schema.getName() + "." + field.name(), faults);
            collectUndocumented(field.schema(), faults, seen);
          }
        }
      }
      case ENUM -> requireDoc(schema.getDoc(), schema.getName(), faults);
      case ARRAY -> collectUndocumented(schema.getElementType(), faults, seen);
      case MAP -> collectUndocumented(schema.getValueType(), faults, seen);
      case UNION -> schema.getTypes().forEach(each -> collectUndocumented(each, faults, seen));
      case FIXED, STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL -> {}
    }
  }

  private static void collectWithoutDefault(Schema schema, List<String> faults, Set<String> seen) {
    switch (schema.getType()) {
      case RECORD -> {
        if (seen.add(schema.getFullName())) {
          for (Schema.Field field : schema.getFields()) {
            if (field.schema().isNullable()
                && (!field.hasDefaultValue()
                    || field.schema().getTypes().getFirst().getType() != Schema.Type.NULL)) {
              faults.add(schema.getName() + "." + field.name());
            }
            collectWithoutDefault(field.schema(), faults, seen);
          }
        }
      }
      case ENUM -> {
        if (schema.getEnumDefault() == null) {
          faults.add(schema.getName());
        }
      }
      case ARRAY -> collectWithoutDefault(schema.getElementType(), faults, seen);
      case MAP -> collectWithoutDefault(schema.getValueType(), faults, seen);
      case UNION -> schema.getTypes().forEach(each -> collectWithoutDefault(each, faults, seen));
      case FIXED, STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL -> {}
    }
  }

  private static void requireDoc(String doc, String of, List<String> faults) {
    if (doc == null || doc.isBlank()) {
      faults.add(of);
    }
  }
}
