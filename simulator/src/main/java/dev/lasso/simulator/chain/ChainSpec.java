package dev.lasso.simulator.chain;

import dev.lasso.simulator.time.TimeText;
import java.time.Duration;

/**
 * How a simulated chain behaves.
 *
 * @param name what tests, scripts and control endpoints call the chain
 * @param chainId EIP-155 chain id
 * @param seed all hashes and contents follow from it
 * @param blockTime distance of blocks when mined by a clock, and of their timestamps otherwise
 * @param genesisTimestamp seconds since the epoch of block 0
 * @param initialBlocks blocks mined at once after block 0, so that there is a past
 * @param maxTransactions a generated block holds between 0 and this many generated transactions
 * @param safeDepth blocks between the head and {@code safe}; {@code finalized} is twice as deep
 * @param retainedBlocks blocks and events kept behind the head; older ones are pruned
 */
public record ChainSpec(
    String name,
    long chainId,
    long seed,
    Duration blockTime,
    long genesisTimestamp,
    int initialBlocks,
    int maxTransactions,
    int safeDepth,
    int retainedBlocks) {

  /** Checks ranges. */
  public ChainSpec {
    require(!name.isBlank() && name.chars().noneMatch(Character::isWhitespace), "name", name);
    require(chainId > 0, "chainId", chainId);
    require(blockTime.toMillis() > 0, "blockTime", blockTime);
    require(genesisTimestamp >= 0, "genesisTimestamp", genesisTimestamp);
    require(initialBlocks >= 0, "initialBlocks", initialBlocks);
    require(maxTransactions >= 0 && maxTransactions <= 10_000, "maxTransactions", maxTransactions);
    require(safeDepth >= 0, "safeDepth", safeDepth);
    require(retainedBlocks >= 256, "retainedBlocks", retainedBlocks);
  }

  /** A chain of only a genesis block, with 12 s blocks of up to 4 generated transactions. */
  public static ChainSpec of(String name, long chainId) {
    return new ChainSpec(
        name, chainId, chainId, Duration.ofSeconds(12), 1_750_000_000L, 0, 4, 32, 16_384);
  }

  /**
   * Reads {@code name:chainId} or {@code name:chainId:blockTime}, say {@code ethereum:1:2s}.
   *
   * @throws IllegalArgumentException naming the text and what is expected
   */
  public static ChainSpec parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length < 2 || parts.length > 3) {
      throw new IllegalArgumentException(
          "chain '" + text + "': expected NAME:CHAIN_ID[:BLOCK_TIME] such as ethereum:1:2s");
    }
    try {
      ChainSpec spec = of(parts[0], Long.parseLong(parts[1]));
      return parts.length == 2 ? spec : spec.withBlockTime(TimeText.parse(parts[2]));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "chain '" + text + "': '" + parts[1] + "' is no chain id", e);
    }
  }

  /** This chain with another seed. */
  public ChainSpec withSeed(long newSeed) {
    return new ChainSpec(
        name,
        chainId,
        newSeed,
        blockTime,
        genesisTimestamp,
        initialBlocks,
        maxTransactions,
        safeDepth,
        retainedBlocks);
  }

  /** This chain with another block time. */
  public ChainSpec withBlockTime(Duration newBlockTime) {
    return new ChainSpec(
        name,
        chainId,
        seed,
        newBlockTime,
        genesisTimestamp,
        initialBlocks,
        maxTransactions,
        safeDepth,
        retainedBlocks);
  }

  /** This chain with a past of the given length. */
  public ChainSpec withInitialBlocks(int newInitialBlocks) {
    return new ChainSpec(
        name,
        chainId,
        seed,
        blockTime,
        genesisTimestamp,
        newInitialBlocks,
        maxTransactions,
        safeDepth,
        retainedBlocks);
  }

  /** This chain with another bound of generated transactions per block. */
  public ChainSpec withMaxTransactions(int newMaxTransactions) {
    return new ChainSpec(
        name,
        chainId,
        seed,
        blockTime,
        genesisTimestamp,
        initialBlocks,
        newMaxTransactions,
        safeDepth,
        retainedBlocks);
  }

  /** This chain with another depth of {@code safe}. */
  public ChainSpec withSafeDepth(int newSafeDepth) {
    return new ChainSpec(
        name,
        chainId,
        seed,
        blockTime,
        genesisTimestamp,
        initialBlocks,
        maxTransactions,
        newSafeDepth,
        retainedBlocks);
  }

  /** This chain with another number of blocks kept. */
  public ChainSpec withRetainedBlocks(int newRetainedBlocks) {
    return new ChainSpec(
        name,
        chainId,
        seed,
        blockTime,
        genesisTimestamp,
        initialBlocks,
        maxTransactions,
        safeDepth,
        newRetainedBlocks);
  }

  /** This chain, its initial blocks ending at the given moment (seconds since the epoch). */
  public ChainSpec endingAt(long epochSeconds) {
    long past = blockTime.multipliedBy(initialBlocks).toSeconds();
    return new ChainSpec(
        name,
        chainId,
        seed,
        blockTime,
        Math.max(0, epochSeconds - past),
        initialBlocks,
        maxTransactions,
        safeDepth,
        retainedBlocks);
  }

  private static void require(boolean holds, String component, Object value) {
    if (!holds) {
      throw new IllegalArgumentException("chain " + component + " out of range: " + value);
    }
  }
}
