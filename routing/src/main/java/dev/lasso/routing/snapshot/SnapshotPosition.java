package dev.lasso.routing.snapshot;

import java.util.Arrays;
import java.util.List;

/**
 * Names a snapshot by what it was folded from: the next offset of every source partition. Two
 * processes with equal positions hold equal snapshots. Immutable.
 */
public final class SnapshotPosition {
  /** Before anything was folded. */
  public static final SnapshotPosition START = new SnapshotPosition(List.of(), new long[0]);

  private final List<String> sources;
  private final long[] nextOffsets;

  /**
   * Pairs sources with their positions.
   *
   * @param sources names of the source partitions, such as {@code chain-state-0}
   * @param nextOffsets the next offset of each, in the same order
   */
  public SnapshotPosition(List<String> sources, long[] nextOffsets) {
    if (sources.size() != nextOffsets.length) {
      throw new IllegalArgumentException(
          "as many offsets as sources expected, were "
              + nextOffsets.length
              + " and "
              + sources.size());
    }
    this.sources = List.copyOf(sources);
    this.nextOffsets = nextOffsets.clone();
  }

  /**
   * Reads what {@link #toString()} wrote.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static SnapshotPosition parse(String text) {
    if (text.isEmpty()) {
      return START;
    }
    String[] parts = text.split(",", -1);
    String[] sources = new String[parts.length];
    long[] offsets = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      int at = parts[i].lastIndexOf('@');
      if (at < 1) {
        throw new IllegalArgumentException("source@offset expected, was '" + parts[i] + "'");
      }
      sources[i] = parts[i].substring(0, at);
      try {
        offsets[i] = Long.parseLong(parts[i], at + 1, parts[i].length(), 10);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("source@offset expected, was '" + parts[i] + "'", e);
      }
    }
    return new SnapshotPosition(List.of(sources), offsets);
  }

  public List<String> sources() {
    return sources;
  }

  /** The next offset of a source by its index in {@link #sources()}. */
  public long nextOffset(int index) {
    return nextOffsets[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SnapshotPosition position
        && sources.equals(position.sources)
        && Arrays.equals(nextOffsets, position.nextOffsets);
  }

  @Override
  public int hashCode() {
    return 31 * sources.hashCode() + Arrays.hashCode(nextOffsets);
  }

  /** {@code source@offset}, joined by commas. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(sources.size() * 24);
    for (int i = 0; i < nextOffsets.length; i++) {
      text.append(i == 0 ? "" : ",").append(sources.get(i)).append('@').append(nextOffsets[i]);
    }
    return text.toString();
  }
}
