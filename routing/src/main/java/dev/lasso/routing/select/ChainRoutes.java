package dev.lasso.routing.select;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One chain of one profile as a snapshot holds it. Immutable; shared by snapshots as long as
 * nothing about the chain changes.
 */
public final class ChainRoutes {
  /** Most channels of a chain; what plans hold of them is small because of it. */
  public static final int MAX_CHANNELS = Short.MAX_VALUE;

  private static final @Nullable Evidence[] NO_EVIDENCE = new @Nullable Evidence[0];

  /** Priority, then http before ws, then provider id. */
  private static final Comparator<ChannelRow> PRIORITY_ORDER =
      Comparator.comparingInt(ChannelRow::priority)
          .thenComparing(row -> row.channel().transport())
          .thenComparing(row -> row.channel().provider());

  private final ProfileSlug profile;
  private final ChainId chain;
  private final ChannelRow[] channels;
  private final int[] priorityRanks;
  private final Map<String, @Nullable Evidence[]> evidence;
  private final @Nullable Long consensusHeight;
  private final double blockTimeMs;
  private final int maxLagBlocks;
  private final boolean serveLeastLagging;

  /**
   * Takes ownership of nothing: lists and maps are copied, the evidence arrays must not be changed
   * afterwards.
   *
   * @param channels in profile order
   * @param evidence by method, each array in the order of {@code channels} with null for what is
   *     not measured
   * @param consensusHeight the chain's consensus height, or null when not known
   * @param blockTimeMs measured or configured block time in milliseconds
   * @param maxLagBlocks how many blocks behind the consensus height a provider may be
   * @param serveLeastLagging whether the least lagging provider serves when all lag
   */
  public ChainRoutes(
      ProfileSlug profile,
      ChainId chain,
      List<ChannelRow> channels,
      Map<String, @Nullable Evidence[]> evidence,
      @Nullable Long consensusHeight,
      double blockTimeMs,
      int maxLagBlocks,
      boolean serveLeastLagging) {
    if (channels.size() > MAX_CHANNELS) {
      throw new IllegalArgumentException(
          "at most " + MAX_CHANNELS + " channels for a chain, were " + channels.size());
    }
    if (!(blockTimeMs > 0)) {
      throw new IllegalArgumentException("block time must be more than 0 ms, was " + blockTimeMs);
    }
    this.profile = profile;
    this.chain = chain;
    this.channels = channels.toArray(ChannelRow[]::new);
    this.priorityRanks = priorityRanks(this.channels);
    this.evidence = Map.copyOf(evidence);
    this.consensusHeight = consensusHeight;
    this.blockTimeMs = blockTimeMs;
    this.maxLagBlocks = maxLagBlocks;
    this.serveLeastLagging = serveLeastLagging;
  }

  private static int[] priorityRanks(ChannelRow[] channels) {
    Integer[] sorted = new Integer[channels.length];
    Arrays.setAll(sorted, i -> i);
    Arrays.sort(sorted, Comparator.comparing(i -> channels[i], PRIORITY_ORDER));
    int[] ranks = new int[channels.length];
    for (int rank = 0; rank < sorted.length; rank++) {
      ranks[sorted[rank]] = rank;
    }
    return ranks;
  }

  public ProfileSlug profile() {
    return profile;
  }

  public ChainId chain() {
    return chain;
  }

  public List<ChannelRow> channels() {
    return List.of(channels);
  }

  public @Nullable Long consensusHeight() {
    return consensusHeight;
  }

  public double blockTimeMs() {
    return blockTimeMs;
  }

  public int maxLagBlocks() {
    return maxLagBlocks;
  }

  public boolean serveLeastLagging() {
    return serveLeastLagging;
  }

  int size() {
    return channels.length;
  }

  ChannelRow channel(int index) {
    return channels[index];
  }

  /** Position of a channel in the order of the {@code priority} strategy. */
  int priorityRank(int index) {
    return priorityRanks[index];
  }

  /** Evidence of a channel for a method, or null when not measured. */
  public @Nullable Evidence evidence(int channelIndex, String method) {
    @Nullable Evidence[] rows = evidenceFor(method);
    return channelIndex < rows.length ? rows[channelIndex] : null;
  }

  /** Methods with evidence. */
  public Set<String> measuredMethods() {
    return evidence.keySet();
  }

  /** All rows of a method in channel order; empty when none is measured. Not to be changed. */
  @Nullable Evidence[] evidenceFor(String method) {
    @Nullable Evidence[] rows = evidence.get(method);
    return rows == null ? NO_EVIDENCE : rows;
  }

  /**
   * Blocks by which the channel's optimistic height is behind the consensus height; 0 or negative
   * when it is not, or when a height is unknown.
   *
   * @param nowMs epoch milliseconds
   */
  public long lagBlocks(ChannelRow row, long nowMs) {
    Height height = row.height();
    if (height == null || consensusHeight == null) {
      return 0;
    }
    double elapsedMs = Math.max(0, Math.min(nowMs - height.seenAtMs(), 30_000));
    long credit = (long) (elapsedMs / blockTimeMs);
    return consensusHeight - (height.number() + credit);
  }
}
