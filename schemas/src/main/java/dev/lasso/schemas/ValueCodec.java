package dev.lasso.schemas;

import dev.lasso.schemas.UnreadableRecord.Reason;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Values of one topic as bytes: the mapping to its generated class and the class's encoding.
 *
 * <p>Immutable, safe on any thread.
 *
 * @param <V> the domain type
 */
final class ValueCodec<V> {
  private final Schema schema;
  private final SchemaHistory history;
  private final Codec<V, ?> codec;

  private ValueCodec(Schema schema, SchemaHistory history, Codec<V, ?> codec) {
    this.schema = schema;
    this.history = history;
    this.codec = codec;
  }

  /**
   * A codec over the committed history of a topic.
   *
   * @param schema the current schema, which the generated class was made from
   */
  static <V, A extends SpecificRecordBase> ValueCodec<V> of(
      TopicName topic, Schema schema, Supplier<? extends Mapping<V, A>> mapping) {
    SchemaHistory history = SchemaHistory.load(topic);
    return new ValueCodec<>(
        schema, history, new Codec<>(new SingleObjectCodec<A>(schema, history), mapping.get()));
  }

  /** The schema that values are written with. */
  Schema schema() {
    return schema;
  }

  SchemaHistory history() {
    return history;
  }

  byte[] toBytes(V value) {
    return codec.toBytes(value);
  }

  /**
   * Reads a value.
   *
   * @throws UnreadableRecord when this build cannot
   */
  V fromBytes(byte[] bytes) {
    return codec.fromBytes(bytes);
  }

  /** A serde that passes null, the tombstone, both ways. */
  Serde<V> serde() {
    Serializer<V> serializer = (topic, value) -> value == null ? null : toBytes(value);
    Deserializer<V> deserializer = (topic, bytes) -> bytes == null ? null : fromBytes(bytes);
    return Serdes.serdeFrom(serializer, deserializer);
  }

  private record Codec<V, A extends SpecificRecordBase>(
      SingleObjectCodec<A> encoding, Mapping<V, A> mapping) {
    byte[] toBytes(V value) {
      return encoding.encode(mapping.toAvro(value));
    }

    V fromBytes(byte[] bytes) {
      A decoded = encoding.decode(bytes);
      try {
        return mapping.toDomain(decoded);
      } catch (IllegalArgumentException | NullPointerException e) {
        throw new UnreadableRecord(
            Reason.INVALID_VALUE, "value was read, but its fields are not valid together", e);
      }
    }
  }
}
