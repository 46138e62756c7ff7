package dev.lasso.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.schemas.UnreadableRecord.Reason;
import dev.lasso.schemas.avro.AttemptRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class UnreadableValueTest {
  private static final TopicCatalogue CATALOGUE = new TopicCatalogue(TopicSettings.defaults());
  private static final Topic<EndpointKey, Attempt> ATTEMPTS = CATALOGUE.attempts();

  private final Attempt attempt = new RandomValues(new SplittableRandom(11)).attempt();
  private final byte[] encoded = ATTEMPTS.encoded(attempt).value();

  @Test
  @SuppressWarnings("NullAway") // Streams passes null here, whatever the type says
  void tombstonePassesBothWays() {
    assertThat(ATTEMPTS.valueSerde().serializer().serialize("any", null)).isNull();
    assertThat(ATTEMPTS.valueSerde().deserializer().deserialize("any", null)).isNull();
    assertThat(ATTEMPTS.encodedTombstone(ATTEMPTS.keyOf(attempt), 5).value()).isNull();
    assertThat(ATTEMPTS.read(record(ATTEMPTS.encoded(attempt).key(), null)).value()).isNull();
  }

  @Test
  void valueIsWhatAvrosOwnDecoderReads() throws IOException {
    GenericRecord theirs =
        new BinaryMessageDecoder<GenericRecord>(GenericData.get(), AttemptRecord.getClassSchema())
            .decode(encoded);

    assertThat(theirs.get("process")).hasToString(attempt.process());
    assertThat(theirs.get("successesBefore")).isEqualTo(attempt.successesBefore());
    assertThat(theirs.get("endedAt")).isEqualTo(attempt.endedAtMs());
  }

  @Test
  void schemaNotInTheHistoryMeansANewerWriter() {
    byte[] fromTheFuture = encoded.clone();
    fromTheFuture[5] ^= 0x55;

    assertRefused(fromTheFuture, Reason.UNKNOWN_SCHEMA)
        .hasMessageContaining("attempts")
        .hasMessageContaining("newer version");
  }

  @Test
  void otherBytesHaveABadMarker() {
    assertRefused("{\"region\":\"eu\"}".getBytes(UTF_8), Reason.BAD_MARKER);
    assertRefused(new byte[20], Reason.BAD_MARKER);
  }

  @Test
  void shortValuesAreTruncated() {
    assertRefused(new byte[0], Reason.TRUNCATED);
    assertRefused(Arrays.copyOf(encoded, 1), Reason.TRUNCATED);
    assertRefused(Arrays.copyOf(encoded, 9), Reason.TRUNCATED);
    assertRefused(Arrays.copyOf(encoded, 10), Reason.TRUNCATED);
    assertRefused(Arrays.copyOf(encoded, encoded.length - 1), Reason.TRUNCATED);
  }

  @Test
  void bytesAfterTheLastFieldAreMalformed() {
    assertRefused(Arrays.copyOf(encoded, encoded.length + 1), Reason.MALFORMED);
  }

  @Test
  void fieldsThatAreNoDomainValueAreInvalid() throws IOException {
    AttemptRecord record = new AttemptMapping().toAvro(attempt);
    record.put("chain", 0L);

    assertRefused(encode(record), Reason.INVALID_VALUE);
  }

  @Test
  void readerMapsAnErrorClassOfANewerWriterToUnknown() throws IOException {
    Schema newer =
        changed(
            ",\"UNKNOWN\"],\"default\":\"UNKNOWN\"",
            ",\"UNKNOWN\",\"LUNAR_ECLIPSE\"],\"default\":\"UNKNOWN\"");
    GenericRecord record = generic(newer, failedAttempt());
    GenericRecord outcome = (GenericRecord) record.get("outcome");
    GenericRecord failure = (GenericRecord) outcome.get("failure");
    failure.put(
        "errorClass",
        new GenericData.EnumSymbol(
            failure.getSchema().getField("errorClass").schema(), "LUNAR_ECLIPSE"));

    Attempt read = readWithHistory(newer, record);

    assertThat(read.outcome())
        .isInstanceOfSatisfying(
            AttemptOutcome.Failure.class,
            each -> assertThat(each.errorClass()).isEqualTo(ErrorClass.UNKNOWN));
  }

  @Test
  void readerRefusesATransportOfANewerWriter() throws IOException {
    Schema newer = changed("\"HTTP\",\"WS\"", "\"HTTP\",\"WS\",\"QUIC\"");
    GenericRecord record = generic(newer, attempt);
    GenericRecord channel = (GenericRecord) record.get("channel");
    channel.put(
        "transport",
        new GenericData.EnumSymbol(channel.getSchema().getField("transport").schema(), "QUIC"));

    assertThatThrownBy(() -> readWithHistory(newer, record))
        .isInstanceOfSatisfying(
            UnreadableRecord.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_SYMBOL));
  }

  @Test
  void deadLetterSaysWhereWhoAndWhat() {
    ConsumerRecord<byte[], byte[]> record =
        record("lasso.attempts|3|14".getBytes(UTF_8), "broken".getBytes(UTF_8));
    record.headers().add("reader", "health".getBytes(UTF_8));
    record.headers().add("key", "eu|node|http".getBytes(UTF_8));

    DeadLetter letter = DeadLetter.read(record);

    assertThat(letter.place()).isEqualTo(new DeadLetterKey("lasso.attempts", 3, 14));
    assertThat(letter.reader()).isEqualTo("health");
    assertThat(letter.error()).isEmpty();
    assertThat(letter.key()).isEqualTo(Bytes.copyOf("eu|node|http".getBytes(UTF_8)));
    assertThat(letter.value()).isEqualTo(Bytes.copyOf("broken".getBytes(UTF_8)));
  }

  private Attempt failedAttempt() {
    return new Attempt(
        attempt.region(),
        attempt.process(),
        attempt.profile(),
        attempt.chain(),
        attempt.channel(),
        attempt.method(),
        attempt.requestId(),
        attempt.endedAtMs(),
        attempt.latencyMs(),
        new AttemptOutcome.Failure(ErrorClass.TIMEOUT, null, null, "", null),
        attempt.blockRange(),
        attempt.successesBefore());
  }

  /** The current schema as a later release might change it. */
  private static Schema changed(String from, String to) {
    String json = AttemptRecord.getClassSchema().toString();
    assertThat(json).contains(from);
    return new Schema.Parser().parse(json.replace(from, to));
  }

  private static GenericRecord generic(Schema schema, Attempt attempt) throws IOException {
    AttemptRecord record = new AttemptMapping().toAvro(attempt);
    byte[] bytes = encode(record);
    return new GenericDatumReader<GenericRecord>(AttemptRecord.getClassSchema(), schema)
        .read(
            null,
            DecoderFactory.get()
                .binaryDecoder(
                    bytes,
                    SingleObjectCodec.HEADER_BYTES,
                    bytes.length - SingleObjectCodec.HEADER_BYTES,
                    null));
  }

  /** Reads with a build whose history already has the newer schema. */
  private static Attempt readWithHistory(Schema newer, GenericRecord record) throws IOException {
    Schema current = AttemptRecord.getClassSchema();
    SingleObjectCodec<AttemptRecord> codec =
        new SingleObjectCodec<>(
            current, SchemaHistory.of(TopicName.ATTEMPTS, List.of(current, newer)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new BinaryMessageEncoder<GenericRecord>(GenericData.get(), newer).encode(record, out);
    return new AttemptMapping().toDomain(codec.decode(out.toByteArray()));
  }

  private static byte[] encode(AttemptRecord record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AttemptRecord.getEncoder().encode(record, out);
    return out.toByteArray();
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      byte[] bytes, Reason reason) {
    return assertThatThrownBy(() -> ATTEMPTS.valueSerde().deserializer().deserialize("any", bytes))
        .isInstanceOfSatisfying(
            UnreadableRecord.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static ConsumerRecord<byte[], byte[]> record(byte[] key, byte[] value) {
    return new ConsumerRecord<>("lasso.attempts", 3, 14, key, value);
  }
}
