package dev.lasso.benchmark;

import dev.lasso.schemas.MetricsKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * The key of a bucket in its store: what is measured, and which slice of time. As bytes the slices
 * of a key lie side by side, the oldest first.
 *
 * @param key what is measured
 * @param startMs when the slice begins, milliseconds since the epoch; 0 or above
 */
record Slice(MetricsKey key, long startMs) {
  Slice {
    if (startMs < 0) {
      throw new IllegalArgumentException("startMs must be 0 or above, was " + startMs);
    }
  }

  /** The key's own bytes, in which no byte is 0, then the start in eight, of which the first is. */
  static Serde<Slice> serde(Serde<MetricsKey> keys) {
    Serializer<Slice> serializer =
        (topic, slice) -> {
          byte[] key = keys.serializer().serialize(topic, slice.key());
          return ByteBuffer.allocate(key.length + Long.BYTES)
              .put(key)
              .putLong(slice.startMs())
              .array();
        };
    Deserializer<Slice> deserializer =
        (topic, bytes) -> {
          int length = bytes.length - Long.BYTES;
          MetricsKey key = keys.deserializer().deserialize(topic, Arrays.copyOf(bytes, length));
          return new Slice(key, ByteBuffer.wrap(bytes).getLong(length));
        };
    return Serdes.serdeFrom(serializer, deserializer);
  }
}
