package dev.lasso.engine.record;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.LatencyDigest;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Predicate;
import org.HdrHistogram.IntCountsHistogram;

/**
 * Sums up attempts of one interval by (profile, chain, channel, method). Latencies are kept in
 * microseconds at two significant digits. Belongs to the recorder's agent thread.
 */
final class Digests {
  static final String OTHER = "other";

  private static final int DIGITS = 2;
  private static final long MAX_MICROS = 3_600_000_000L;

  private record Key(ProfileSlug profile, ChainId chain, Channel channel, String method) {}

  private static final class Sum {
    private final IntCountsHistogram latencies = new IntCountsHistogram(DIGITS);
    private final Map<ErrorClass, Long> failures = new EnumMap<>(ErrorClass.class);
    private long fromMs;

    Sum(long fromMs) {
      this.fromMs = fromMs;
      latencies.setAutoResize(true);
    }

    boolean empty() {
      return latencies.getTotalCount() == 0 && failures.isEmpty();
    }

    void startAnew(long atMs) {
      fromMs = atMs;
      latencies.reset();
      failures.clear();
    }
  }

  private final Region region;
  private final String process;
  private final int maxKeys;
  private final Map<Key, Sum> sums = new HashMap<>();
  private ByteBuffer encoded = ByteBuffer.allocate(4096);
  private long fromMs;

  Digests(Region region, String process, int maxKeys, long nowMs) {
    this.region = region;
    this.process = process;
    this.maxKeys = maxKeys;
    this.fromMs = nowMs;
  }

  /** Counts an attempt; a cancelled one says nothing. */
  void add(Attempt attempt) {
    switch (attempt.outcome()) {
      case AttemptOutcome.Success _ ->
          sum(attempt)
              .latencies
              .recordValue(Math.clamp((long) (attempt.latencyMs() * 1_000), 1, MAX_MICROS));
      case AttemptOutcome.Failure failure ->
          sum(attempt).failures.merge(failure.errorClass(), 1L, Long::sum);
      case AttemptOutcome.Cancelled _ -> {}
    }
  }

  private Sum sum(Attempt attempt) {
    Key key = new Key(attempt.profile(), attempt.chain(), attempt.channel(), attempt.method());
    Sum known = sums.get(key);
    if (known != null) {
      return known;
    }
    Key kept =
        sums.size() < maxKeys
            ? key
            : new Key(attempt.profile(), attempt.chain(), attempt.channel(), OTHER);
    return sums.computeIfAbsent(kept, _ -> new Sum(fromMs));
  }

  /** When the running interval began, epoch milliseconds. */
  long fromMs() {
    return fromMs;
  }

  /**
   * Gives out one digest for each key that has something to tell, and begins the next interval.
   *
   * @param taken says whether the digest was taken; one that was not goes on growing
   * @param holdMs what was not taken for this long is given up
   * @return how many were given up
   */
  int drain(long nowMs, Predicate<LatencyDigest> taken, long holdMs) {
    long toMs = Math.max(nowMs, fromMs + 1);
    int lost = 0;
    Iterator<Map.Entry<Key, Sum>> entries = sums.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Key, Sum> entry = entries.next();
      Sum sum = entry.getValue();
      if (sum.empty()) {
        entries.remove(); // quiet for a whole interval
      } else if (taken.test(digest(entry.getKey(), sum, toMs))) {
        sum.startAnew(toMs);
      } else if (toMs - sum.fromMs >= holdMs) {
        sum.startAnew(toMs);
        lost++;
      }
    }
    fromMs = toMs;
    return lost;
  }

  private LatencyDigest digest(Key key, Sum sum, long toMs) {
    return new LatencyDigest(
        region,
        process,
        key.profile(),
        key.chain(),
        key.channel(),
        key.method(),
        sum.fromMs,
        toMs,
        encode(sum.latencies),
        sum.latencies.getTotalCount(),
        sum.failures);
  }

  private Bytes encode(IntCountsHistogram histogram) {
    int needed = histogram.getNeededByteBufferCapacity();
    if (encoded.capacity() < needed) {
      encoded = ByteBuffer.allocate(needed);
    }
    encoded.clear();
    histogram.encodeIntoCompressedByteBuffer(encoded);
    encoded.flip();
    return Bytes.copyOf(encoded);
  }
}
