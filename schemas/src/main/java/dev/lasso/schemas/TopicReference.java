package dev.lasso.schemas;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;

/** Writes the reference page of all topics from the catalogue and the schemas. */
public final class TopicReference {
  private final TopicCatalogue catalogue;
  private final StringBuilder page = new StringBuilder();

  private TopicReference(TopicCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** The page as Markdown, for the default settings. */
  public static String markdown() {
    return new TopicReference(new TopicCatalogue(TopicSettings.defaults())).write();
  }

  private String write() {
    TopicSettings settings = catalogue.settings();
    line("# Topics");
    line("");
    line("Generated from the topic catalogue and the Avro schemas; do not edit:");
    line("`bin/generate-docs` writes it anew.");
    line("");
    line("Names have the configured prefix in front, by default `" + settings.prefix() + "`. Keys");
    line(
        "are text, parts joined by `|`; `|`, `%` and control characters within a part are written");
    line("as `%` and two hex digits. Values are Avro in single-object encoding: marker `C3 01`,");
    line(
        "64-bit CRC fingerprint of the writer's schema, little-endian, body. Every schema that"
            + " was");
    line("ever written is in `schemas/src/main/resources/history`. A null value is a tombstone.");
    line("Values carry times as milliseconds since the epoch. References to the environment in a");
    line("profile (`${NAME}`) travel unresolved, so that no secret is in a topic.");
    line("");
    line(
        "*With history* means compacted, but every version is kept for the history window (default "
            + words(settings.historyWindow())
            + ").");
    line("");
    overview();
    catalogue.all().forEach(this::section);
    deadLetters();
    return page.toString();
  }

  private void overview() {
    line("| topic | key | value | cleanup | partitions | written by |");
    line("|---|---|---|---|---|---|");
    for (Topic<?, ?> topic : catalogue.all()) {
      line(
          "| ["
              + topic.id()
              + "](#"
              + topic.id()
              + ") | "
              + cell(topic.keys().form())
              + " | "
              + cell(topic.purpose())
              + " | "
              + cleanup(topic.spec())
              + " | "
              + topic.spec().partitions()
              + " | "
              + topic.writers()
              + " |");
    }
    line(
        "| [dead-letters](#dead-letters) | "
            + cell(TopicKeys.DEAD_LETTER.form())
            + " | a record that could not be read, as it was | "
            + cleanup(catalogue.deadLetters())
            + " | "
            + catalogue.deadLetters().partitions()
            + " | every process |");
    line("");
  }

  private String cleanup(TopicSpec topic) {
    return switch (topic.cleanup()) {
      case DELETE -> "delete after " + words(catalogue.settings().retentionOf(topic.id()));
      case COMPACT, COMPACT_WITH_HISTORY -> topic.cleanup().word();
    };
  }

  private void section(Topic<?, ?> topic) {
    ValueCodec<?> values = topic.values();
    line("## " + topic.id());
    line("");
    line(values.schema().getDoc());
    line("");
    line(
        "Key `"
            + topic.keys().form()
            + "`, "
            + topic.spec().partitions()
            + (topic.spec().partitions() == 1 ? " partition" : " partitions")
            + ", schema `"
            + values.schema().getName()
            + "` "
            + "`"
            + SchemaHistory.hex(SchemaHistory.fingerprint(values.schema()))
            + "`"
            + " (version "
            + values.history().versionOf(values.schema())
            + " of "
            + values.history().versions().size()
            + ").");
    line("");
    settings(topic.spec());
    Set<String> written = new LinkedHashSet<>();
    Deque<Schema> open = new ArrayDeque<>(List.of(values.schema()));
    while (!open.isEmpty()) {
      Schema schema = open.removeFirst();
      if (written.add(schema.getFullName())) {
        definition(schema, schema.equals(values.schema()), open);
      }
    }
  }

  private void settings(TopicSpec spec) {
    line("| setting | value |");
    line("|---|---|");
    for (Map.Entry<String, String> config : spec.configs().entrySet()) {
      line("| `" + config.getKey() + "` | `" + config.getValue() + "` |");
    }
    line("");
  }

  private void deadLetters() {
    TopicSpec spec = catalogue.deadLetters();
    line("## " + spec.id());
    line("");
    line("Records that a process could not read and skipped: the bytes as they were, not Avro.");
    line("");
    line(
        "Key `"
            + TopicKeys.DEAD_LETTER.form()
            + "`: where the record stands. Headers `key`: its key as it was; `reader`: the view or"
            + " topology that could not read it; `error`: the class of the exception.");
    line("");
    settings(spec);
  }

  private void definition(Schema schema, boolean outermost, Deque<Schema> open) {
    if (!outermost) {
      line("**" + schema.getName() + "**: " + schema.getDoc());
      line("");
    }
    if (schema.getType() == Schema.Type.ENUM) {
      line(
          "Symbols: "
              + schema.getEnumSymbols().stream()
                  .map(symbol -> "`" + symbol + "`")
                  .collect(Collectors.joining(", "))
              + ".");
      line("");
      return;
    }
    line("| field | type | meaning |");
    line("|---|---|---|");
    for (Schema.Field field : schema.getFields()) {
      line("| `" + field.name() + "` | " + type(field.schema()) + " | " + cell(field.doc()) + " |");
      named(field.schema(), open);
    }
    line("");
  }

  private static void named(Schema schema, Deque<Schema> open) {
    switch (schema.getType()) {
      case RECORD, ENUM -> open.addLast(schema);
      case ARRAY -> named(schema.getElementType(), open);
      case MAP -> named(schema.getValueType(), open);
      case UNION -> schema.getTypes().forEach(each -> named(each, open));
      case FIXED, STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL -> {}
    }
  }

  private static String type(Schema schema) {
    LogicalType logical = schema.getLogicalType();
    if (logical != null) {
      return logical.getName();
    }
    return switch (schema.getType()) {
      case RECORD, ENUM -> schema.getName();
      case ARRAY -> "list of " + type(schema.getElementType());
      case MAP -> "map of " + type(schema.getValueType());
      case UNION ->
          schema.getTypes().stream()
              .filter(each -> each.getType() != Schema.Type.NULL)
              .map(TopicReference::type)
              .collect(Collectors.joining(" or ", "", " or null"));
      case FIXED, STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL ->
          schema.getType().getName();
    };
  }

  private static String words(Duration time) {
    return time.toDaysPart() > 0 && time.equals(Duration.ofDays(time.toDays()))
        ? time.toDays() + (time.toDays() == 1 ? " day" : " days")
        : time.toMinutes() + " minutes";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private void line(String text) {
    page.append(text).append('\n');
  }
}
