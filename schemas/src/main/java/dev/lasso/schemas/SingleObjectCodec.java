package dev.lasso.schemas;

import dev.lasso.schemas.UnreadableRecord.Reason;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Avro's single-object encoding of one generated class: marker {@code C3 01}, fingerprint of the
 * writer's schema as a little-endian long, body in Avro's binary encoding (Avro specification,
 * "Single-object encoding"). Writes with the current schema, reads any in the topic's history.
 *
 * <p>Reads from an array rather than through Avro's own message decoder, because only a decoder
 * that knows how many bytes are left refuses a corrupt length before it allocates for it, and
 * because the marker, the schema and the body are told apart when one of them is wrong.
 *
 * <p>Safe on any thread.
 *
 * @param <A> the generated class
 */
final class SingleObjectCodec<A extends SpecificRecordBase> {
  static final int HEADER_BYTES = 10;
  private static final byte MARKER_0 = (byte) 0xC3;
  private static final byte MARKER_1 = 0x01;

  private final SchemaHistory history;
  private final BinaryMessageEncoder<A> encoder;
  private final Map<Long, DatumReader<A>> readers;

  SingleObjectCodec(Schema current, SchemaHistory history) {
    this.history = history;
    SpecificData model = GeneratedClasses.MODEL;
    this.encoder = new BinaryMessageEncoder<>(model, current);
    Map<Long, DatumReader<A>> byFingerprint = new LinkedHashMap<>();
    byFingerprint.put(
        SchemaHistory.fingerprint(current), new SpecificDatumReader<>(current, current, model));
    for (Schema writer : history.versions()) {
      byFingerprint.putIfAbsent(
          SchemaHistory.fingerprint(writer), new SpecificDatumReader<>(writer, current, model));
    }
    this.readers = Map.copyOf(byFingerprint);
  }

  byte[] encode(A value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try {
      encoder.encode(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /**
   * Reads one value.
   *
   * @throws UnreadableRecord when the marker, the schema or the body is not one this build can read
   */
  A decode(byte[] bytes) {
    if (bytes.length < 2) {
      throw new UnreadableRecord(
          Reason.TRUNCATED, "value of " + bytes.length + " bytes is too short for its marker");
    }
    if (bytes[0] != MARKER_0 || bytes[1] != MARKER_1) {
      throw new UnreadableRecord(
          Reason.BAD_MARKER,
          "value does not start with the marker of Avro's single-object encoding");
    }
    if (bytes.length < HEADER_BYTES) {
      throw new UnreadableRecord(
          Reason.TRUNCATED, "value of " + bytes.length + " bytes is too short for its fingerprint");
    }
    long fingerprint = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
    DatumReader<A> reader = readers.get(fingerprint);
    if (reader == null) {
      throw new UnreadableRecord(
          Reason.UNKNOWN_SCHEMA,
          "value of topic "
              + history.topic()
              + " was written with schema "
              + SchemaHistory.hex(fingerprint)
              + ", which this build does not have; a newer version writes to this topic");
    }
    return decodeBody(bytes, reader);
  }

  private A decodeBody(byte[] bytes, DatumReader<A> reader) {
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, null);
    try {
      A value = reader.read(null, decoder);
      if (decoder.isEnd()) {
        return value;
      }
    } catch (EOFException e) {
      throw new UnreadableRecord(Reason.TRUNCATED, "value ends before its last field", e);
    } catch (IOException | RuntimeException e) {
      // Avro answers to foreign bytes with exceptions of many unrelated kinds
      throw new UnreadableRecord(Reason.MALFORMED, "value does not fit its schema", e);
    }
    throw new UnreadableRecord(Reason.MALFORMED, "value has bytes left after its last field");
  }
}
