package dev.lasso.benchmarks.subscriptions;

import dev.lasso.simulator.chain.SimBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * When each block became the head of the simulated chain, and when clients had it. Thread-safe;
 * times are {@link System#nanoTime} of this process.
 */
final class Deliveries {
  private final NavigableMap<Long, Block> blocks = new TreeMap<>();

  /** One block on its way to the clients. */
  private static final class Block {
    private final SimBlock mined;
    private final long minedNs;
    private final List<Float> headMs = new ArrayList<>();
    private double lastMs;
    private int heads;

    Block(SimBlock mined, long minedNs) {
      this.mined = mined;
      this.minedNs = minedNs;
    }
  }

  /**
   * Times in ms from the upstream head on.
   *
   * @param blocks blocks measured
   * @param clientP50 to a client's header, over clients and blocks
   * @param clientP99 the same
   * @param lastP50 until the last client had the last of the block, its logs included, over blocks
   * @param lastP99 the same
   * @param lastMax the same of the slowest block
   */
  record Figures(
      int blocks,
      double clientP50,
      double clientP99,
      double lastP50,
      double lastP99,
      double lastMax) {}

  /** A block became the head. */
  synchronized void mined(SimBlock block, long atNs) {
    blocks.put(block.number(), new Block(block, atNs));
  }

  /** A client has a block's header. */
  synchronized void head(long number, long atNs) {
    Block block = blocks.get(number);
    if (block != null) {
      block.heads++;
      float ms = (atNs - block.minedNs) / 1e6f;
      block.headMs.add(ms);
      block.lastMs = Math.max(block.lastMs, ms);
    }
  }

  /** A client has a log of a block. */
  synchronized void log(long number, long atNs) {
    Block block = blocks.get(number);
    if (block != null) {
      block.lastMs = Math.max(block.lastMs, (atNs - block.minedNs) / 1e6);
    }
  }

  /** Clients that have a block's header. */
  synchronized int heads(long number) {
    Block block = blocks.get(number);
    return block == null ? 0 : block.heads;
  }

  /** Height of the newest block mined; 0 before the first. */
  synchronized long newest() {
    return blocks.lastEntry() == null ? 0 : blocks.lastEntry().getKey();
  }

  /** The blocks mined, from one on. */
  synchronized List<SimBlock> from(long number) {
    return blocks.values().stream()
        .map(block -> block.mined)
        .filter(block -> block.number() >= number)
        .toList();
  }

  /** Figures of the blocks from one height to another, both included. */
  synchronized Figures figures(long from, long to) {
    List<Float> heads = new ArrayList<>();
    List<Double> lasts = new ArrayList<>();
    for (Block block : blocks.values()) {
      if (block.mined.number() >= from && block.mined.number() <= to) {
        heads.addAll(block.headMs);
        lasts.add(block.lastMs);
      }
    }
    double[] sorted = heads.stream().mapToDouble(Float::doubleValue).toArray();
    Arrays.sort(sorted);
    Collections.sort(lasts);
    double[] last = lasts.stream().mapToDouble(Double::doubleValue).toArray();
    return new Figures(
        last.length,
        percentile(sorted, 0.5),
        percentile(sorted, 0.99),
        percentile(last, 0.5),
        percentile(last, 0.99),
        percentile(last, 1));
  }

  private static double percentile(double[] sorted, double share) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }
}
