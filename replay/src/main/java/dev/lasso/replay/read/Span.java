package dev.lasso.replay.read;

import java.util.Map;

/**
 * Which records of one topic are read.
 *
 * @param fromMs earliest timestamp, inclusive, milliseconds since the epoch; {@link Long#MIN_VALUE}
 *     for the beginning
 * @param toMs latest timestamp, inclusive
 * @param fromOffsets first offset by partition, where the timestamp is not to decide
 * @param toOffsets offset by partition that is not read any more
 */
public record Span(
    long fromMs, long toMs, Map<Integer, Long> fromOffsets, Map<Integer, Long> toOffsets) {
  public Span {
    fromOffsets = Map.copyOf(fromOffsets);
    toOffsets = Map.copyOf(toOffsets);
  }

  /** Records with a timestamp in a period. */
  public static Span between(long fromMs, long toMs) {
    return new Span(fromMs, toMs, Map.of(), Map.of());
  }

  /** Everything with a timestamp up to a moment. */
  public static Span until(long toMs) {
    return between(Long.MIN_VALUE, toMs);
  }

  /** The same, but of each partition named only what stands before an offset. */
  public Span beforeOffsets(Map<Integer, Long> offsets) {
    return new Span(fromMs, toMs, fromOffsets, offsets);
  }

  /** The same, but of each partition named only what stands at an offset or after it. */
  public Span fromOffsets(Map<Integer, Long> offsets) {
    return new Span(fromMs, toMs, offsets, toOffsets);
  }

  boolean holds(int partition, long offset, long atMs) {
    Long from = fromOffsets.get(partition);
    Long to = toOffsets.get(partition);
    return atMs <= toMs
        && (from == null ? atMs >= fromMs : offset >= from)
        && (to == null || offset < to);
  }
}
