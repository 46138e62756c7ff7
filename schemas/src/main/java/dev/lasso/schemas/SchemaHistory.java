package dev.lasso.schemas;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.SchemaStore;
import org.jspecify.annotations.Nullable;

/**
 * Every schema that a topic's values were ever written with, or will be written with by the next
 * release: what makes a schema registry unnecessary. Committed under {@code
 * resources/history/<topic>/NNNN.avsc}, oldest first, never changed once released. A reader finds
 * the writer's schema by the 64-bit CRC fingerprint of its parsing canonical form, as Avro's
 * single-object encoding carries it.
 *
 * <p>Readers go before writers: to let an old release read what a new one writes during a rolling
 * upgrade or after a rollback, commit the new schema to the history one release before it becomes
 * the current one.
 *
 * <p>Immutable, safe on any thread.
 */
final class SchemaHistory implements SchemaStore {
  private final TopicName topic;
  private final List<Schema> versions;
  private final Map<Long, Schema> byFingerprint;

  private SchemaHistory(TopicName topic, List<Schema> versions) {
    this.topic = topic;
    this.versions = List.copyOf(versions);
    Map<Long, Schema> index = new LinkedHashMap<>();
    for (Schema version : versions) {
      if (index.put(fingerprint(version), version) != null) {
        throw new IllegalStateException(
            "history of topic " + topic + " holds schema " + hex(fingerprint(version)) + " twice");
      }
    }
    this.byFingerprint = Map.copyOf(index);
  }

  /**
   * Reads the committed history of a topic from the class path. A test sees to it that the current
   * schema is in it.
   *
   * @throws IllegalStateException when it holds one schema twice
   */
  static SchemaHistory load(TopicName topic) {
    List<Schema> versions = new ArrayList<>();
    for (Schema version = read(topic, 1);
        version != null;
        version = read(topic, versions.size() + 1)) {
      versions.add(version);
    }
    return new SchemaHistory(topic, versions);
  }

  /** A history made of the given versions, oldest first. */
  static SchemaHistory of(TopicName topic, List<Schema> versions) {
    return new SchemaHistory(topic, versions);
  }

  private static @Nullable Schema read(TopicName topic, int version) {
    String path = "/history/" + topic.word() + "/" + fileName(version);
    try (InputStream in = SchemaHistory.class.getResourceAsStream(path)) {
      return in == null ? null : new Schema.Parser().parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  /** File name of the given version, counted from 1. */
  static String fileName(int version) {
    return String.format(Locale.ROOT, "%04d.avsc", version);
  }

  /** 64-bit CRC fingerprint of the schema's parsing canonical form. */
  static long fingerprint(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  /** A fingerprint as logs, errors and documents show it. */
  static String hex(long fingerprint) {
    return String.format(Locale.ROOT, "%016x", fingerprint);
  }

  TopicName topic() {
    return topic;
  }

  /** Every version, oldest first. */
  List<Schema> versions() {
    return versions;
  }

  /** The schema with this fingerprint, or null when this build does not have it. */
  @Override
  public @Nullable Schema findByFingerprint(long fingerprint) {
    return byFingerprint.get(fingerprint);
  }

  /** Position of the schema in the history, from 1; 0 when it is not in it. */
  int versionOf(Schema schema) {
    long wanted = fingerprint(schema);
    for (int i = 0; i < versions.size(); i++) {
      if (fingerprint(versions.get(i)) == wanted) {
        return i + 1;
      }
    }
    return 0;
  }
}
