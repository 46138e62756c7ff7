package dev.lasso.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketPropertyTest {
  private static final Channel CHANNEL =
      new Channel(ProviderId.of("one"), InstanceId.of("node-1"), Transport.WS);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void mergedCountsGiveThePercentilesOfAllValues(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    Histogram expected = new Histogram(2);
    LatencyCounts sum = LatencyCounts.NONE;
    for (int part = 0; part < 8; part++) {
      Histogram one = new Histogram(2);
      for (int i = random.nextInt(200); i > 0; i--) {
        one.recordValue(1 + random.nextLong(random.nextInt(10) == 0 ? 30_000_000 : 100_000));
      }
      expected.add(one);
      sum = sum.plus(LatencyCounts.decode(encoded(one)));
    }
    Histogram merged = new Histogram(3);
    merged.setAutoResize(true);
    sum.addTo(merged);

    assertThat(merged.getTotalCount()).isEqualTo(expected.getTotalCount());
    for (double percentile : new double[] {1, 50, 90, 99, 100}) {
      double wanted = expected.getValueAtPercentile(percentile);
      assertThat((double) merged.getValueAtPercentile(percentile))
          .as("p%s", percentile)
          .isBetween(wanted * 0.985 - 1, wanted * 1.015 + 1);
    }
    Bucket bucket = new Bucket(CHANNEL, sum, 5, 4, 3, 1_800_000_000_000L, Map.of("a", 7L));
    assertThat(BucketSerde.read(BucketSerde.write(bucket))).isEqualTo(bucket);
  }

  @Test
  void bytesThatAreNoHistogramAreRefused() {
    assertThatThrownBy(() -> LatencyCounts.decode(Bytes.copyOf(new byte[] {1, 2, 3})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not hold a histogram");
    assertThat(LatencyCounts.decode(Bytes.EMPTY)).isEqualTo(LatencyCounts.NONE);
  }

  private static Bytes encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    histogram.encodeIntoCompressedByteBuffer(buffer);
    buffer.flip();
    return Bytes.copyOf(buffer);
  }
}
