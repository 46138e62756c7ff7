package dev.lasso.benchmark;

import dev.lasso.routing.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How often each latency was seen, without the empty places of a histogram: a minute of one channel
 * and method has tens of distinct values, its histogram thousands of counters. Latencies in
 * microseconds, each the middle of the range that the histogram could not tell apart. Immutable.
 */
final class LatencyCounts {
  static final LatencyCounts NONE = new LatencyCounts(new long[0], new long[0]);

  private final long[] micros;
  private final long[] counts;

  /** Takes over the arrays: {@code micros} ascends, {@code counts} are positive. */
  private LatencyCounts(long[] micros, long[] counts) {
    this.micros = micros;
    this.counts = counts;
  }

  /**
   * Reads a histogram as digests carry it.
   *
   * @param encoded an HdrHistogram in its compressed V2 encoding; empty for no latencies
   * @throws IllegalArgumentException when it is something else
   */
  static LatencyCounts decode(Bytes encoded) {
    if (encoded.size() == 0) {
      return NONE;
    }
    Histogram histogram;
    try {
      histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded.toArray()), 0);
    } catch (DataFormatException | RuntimeException e) {
      throw new IllegalArgumentException("digest does not hold a histogram", e);
    }
    Builder builder = new Builder(16);
    for (HistogramIterationValue value : histogram.recordedValues()) {
      builder.add(
          histogram.medianEquivalentValue(value.getValueIteratedTo()),
          value.getCountAtValueIteratedTo());
    }
    return builder.build();
  }

  /** Counts of both. */
  LatencyCounts plus(LatencyCounts other) {
    Builder sum = new Builder(micros.length + other.micros.length);
    int mine = 0;
    int theirs = 0;
    while (mine < micros.length && theirs < other.micros.length) {
      if (micros[mine] == other.micros[theirs]) {
        sum.add(micros[mine], counts[mine++] + other.counts[theirs++]);
      } else if (micros[mine] < other.micros[theirs]) {
        sum.add(micros[mine], counts[mine++]);
      } else {
        sum.add(other.micros[theirs], other.counts[theirs++]);
      }
    }
    for (; mine < micros.length; mine++) {
      sum.add(micros[mine], counts[mine]);
    }
    for (; theirs < other.micros.length; theirs++) {
      sum.add(other.micros[theirs], other.counts[theirs]);
    }
    return sum.build();
  }

  /** Records every latency as often as it was seen. */
  void addTo(Histogram histogram) {
    for (int i = 0; i < micros.length; i++) {
      histogram.recordValueWithCount(micros[i], counts[i]);
    }
  }

  /** Number of distinct latencies. */
  int size() {
    return micros.length;
  }

  long microsAt(int index) {
    return micros[index];
  }

  long countAt(int index) {
    return counts[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LatencyCounts that
        && Arrays.equals(micros, that.micros)
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(micros) + Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return micros.length + " distinct latencies";
  }

  /** Collects latencies in ascending order. */
  static final class Builder {
    private long[] micros;
    private long[] counts;
    private int size;

    Builder(int capacity) {
      micros = new long[capacity];
      counts = new long[capacity];
    }

    void add(long latencyMicros, long count) {
      if (size == micros.length) {
        micros = Arrays.copyOf(micros, 2 * size + 8);
        counts = Arrays.copyOf(counts, 2 * size + 8);
      }
      micros[size] = latencyMicros;
      counts[size++] = count;
    }

    LatencyCounts build() {
      return size == 0
          ? NONE
          : new LatencyCounts(Arrays.copyOf(micros, size), Arrays.copyOf(counts, size));
    }
  }
}
