package dev.lasso.replay.measure;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.event.LatencyDigest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How often latencies were seen, told apart to 2 %, from 1 µs to 15 min. Small, mergeable, mutable;
 * owned by one thread.
 */
public final class Latencies {
  private static final double STEP = Math.log(1.02);
  private static final int BUCKETS = 1_045;

  /** Counts from bucket {@code first} on; grows to both sides as needed. */
  private long[] counts = new long[0];

  private int first;
  private long total;

  /** Adds one latency. */
  public void add(double ms) {
    add(ms, 1);
  }

  /** Adds a latency that was seen so often. */
  public void add(double ms, long times) {
    if (times > 0) {
      int place = place(bucket(ms)); // may replace the array
      counts[place] += times;
      total += times;
    }
  }

  /** Adds the successes of a digest; one that can't be read adds nothing. */
  public void add(LatencyDigest digest) {
    Bytes encoded = digest.histogram();
    if (encoded.size() == 0) {
      return;
    }
    try {
      Histogram histogram =
          Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded.toArray()), 0);
      for (HistogramIterationValue value : histogram.recordedValues()) {
        add(
            histogram.medianEquivalentValue(value.getValueIteratedTo()) / 1_000.0,
            value.getCountAtValueIteratedTo());
      }
    } catch (DataFormatException | RuntimeException _) {
      // its counts are in the digest; only the latencies are lost
    }
  }

  /** Adds everything of another. */
  public void add(Latencies other) {
    for (int i = 0; i < other.counts.length; i++) {
      if (other.counts[i] > 0) {
        int place = place(other.first + i); // may replace the array
        counts[place] += other.counts[i];
        total += other.counts[i];
      }
    }
  }

  private static int bucket(double ms) {
    double micros = Math.max(1, ms * 1_000);
    return Math.min(BUCKETS - 1, (int) (Math.log(micros) / STEP));
  }

  private static double valueMs(int bucket) {
    return Math.exp((bucket + 0.5) * STEP) / 1_000;
  }

  private int place(int bucket) {
    if (counts.length == 0) {
      first = Math.max(0, bucket - 8);
      counts = new long[17];
    } else if (bucket < first) {
      int more = Math.min(first, first - bucket + 16);
      long[] grown = new long[counts.length + more];
      System.arraycopy(counts, 0, grown, more, counts.length);
      counts = grown;
      first -= more;
    } else if (bucket >= first + counts.length) {
      counts = Arrays.copyOf(counts, bucket - first + 17);
    }
    return bucket - first;
  }

  /** How many were added. */
  public long count() {
    return total;
  }

  /**
   * The latency that a share of them does not exceed, milliseconds; 0 when there is none.
   *
   * @param share 0 to 1
   */
  public double percentile(double share) {
    if (total == 0) {
      return 0;
    }
    long wanted = Math.max(1, (long) Math.ceil(share * total));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return valueMs(first + i);
      }
    }
    return valueMs(first + counts.length - 1);
  }
}
