package dev.lasso.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written to a topic is what is read from it, and bytes that are not never do harm. */
class TopicRoundTripPropertyTest {
  private static final TopicCatalogue CATALOGUE = new TopicCatalogue(TopicSettings.defaults());
  private static final int VALUES_PER_SEED = 50;

  static List<Topic<?, ?>> topics() {
    return CATALOGUE.all();
  }

  static Stream<Arguments> topicsAndSeeds() {
    return topics().stream()
        .flatMap(topic -> Stream.of(1L, 2L, 3L, 4L).map(seed -> Arguments.of(topic, seed)));
  }

  @ParameterizedTest
  @MethodSource("topicsAndSeeds")
  void valueComesBackAsItWasWritten(Topic<?, ?> topic, long seed) {
    RandomValues values = new RandomValues(new SplittableRandom(seed));
    for (int i = 0; i < VALUES_PER_SEED; i++) {
      assertRoundTrip(topic, values.valueOf(topic.id()));
    }
  }

  @ParameterizedTest
  @MethodSource("topicsAndSeeds")
  void damagedValueIsUnreadableOrAnotherValueButNeverAnythingElse(Topic<?, ?> topic, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < VALUES_PER_SEED; i++) {
      byte[] bytes = encoded(topic, values.valueOf(topic.id()));
      assertReadsOrRefuses(topic, damaged(bytes, random));
    }
  }

  @ParameterizedTest
  @MethodSource("topics")
  void everyCutIsRefused(Topic<?, ?> topic) {
    RandomValues values = new RandomValues(new SplittableRandom(7));
    byte[] bytes = encoded(topic, values.valueOf(topic.id()));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThat(refusal(topic, cut)).as("cut at %s", length).isPresent();
    }
  }

  @Test
  void corruptLengthIsRefusedWithoutAllocatingForIt() {
    byte[] bytes =
        encoded(CATALOGUE.attempts(), new RandomValues(new SplittableRandom(1)).attempt());
    // the first field is a string; its length becomes 2^31 - 9, the most that Avro would allocate
    byte[] length = {(byte) 0xEE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F};
    System.arraycopy(length, 0, bytes, SingleObjectCodec.HEADER_BYTES, length.length);

    assertThat(refusal(CATALOGUE.attempts(), bytes)).contains(UnreadableRecord.Reason.TRUNCATED);
  }

  @SuppressWarnings("unchecked")
  private static <K, V> void assertRoundTrip(Topic<K, V> topic, Object untyped) {
    V value = (V) untyped;
    ProducerRecord<byte[], byte[]> written = topic.encoded(value);
    Topic.Entry<K, V> read = topic.read(consumed(written));
    assertThat(read.value()).isEqualTo(value);
    assertThat(read.key()).isEqualTo(topic.keyOf(value));
    assertThat(topic.valueSerde().deserializer().deserialize("any", written.value()))
        .isEqualTo(value);
    assertThat(topic.valueSerde().serializer().serialize("any", value)).isEqualTo(written.value());
  }

  @SuppressWarnings("unchecked")
  private static <V> byte[] encoded(Topic<?, V> topic, Object value) {
    return topic.encoded((V) value).value();
  }

  private static void assertReadsOrRefuses(Topic<?, ?> topic, byte[] bytes) {
    assertThatCode(() -> refusal(topic, bytes)).doesNotThrowAnyException();
  }

  private static Optional<UnreadableRecord.Reason> refusal(Topic<?, ?> topic, byte[] bytes) {
    try {
      topic.values().fromBytes(bytes);
      return Optional.empty();
    } catch (UnreadableRecord e) {
      return Optional.of(e.reason());
    }
  }

  private static byte[] damaged(byte[] bytes, RandomGenerator random) {
    byte[] copy = bytes.clone();
    for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
      copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(copy, random.nextInt(copy.length * 2)) : copy;
  }

  private static ConsumerRecord<byte[], byte[]> consumed(ProducerRecord<byte[], byte[]> written) {
    return new ConsumerRecord<>(
        written.topic(),
        0,
        0,
        written.timestamp() == null ? 0 : written.timestamp(),
        TimestampType.CREATE_TIME,
        written.key().length,
        written.value().length,
        written.key(),
        written.value(),
        new RecordHeaders(),
        Optional.empty());
  }
}
