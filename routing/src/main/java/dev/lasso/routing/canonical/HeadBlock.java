package dev.lasso.routing.canonical;

import dev.lasso.routing.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A block as the merge knows it.
 *
 * @param number its height
 * @param hash its hash
 * @param parentHash hash of the block before
 * @param header the header as a node sends it to a {@code newHeads} subscriber (JSON)
 * @param source the instance it came from
 */
public record HeadBlock(long number, String hash, String parentHash, Bytes header, String source) {
  public HeadBlock {
    if (number < 0) {
      throw new IllegalArgumentException("block number must be 0 or greater, was " + number);
    }
    if (hash.isEmpty() || hash.equals(parentHash)) {
      throw new IllegalArgumentException("block " + number + " must have a hash of its own");
    }
  }

  boolean childOf(HeadBlock block) {
    return number == block.number + 1 && parentHash.equals(block.hash);
  }

  /** Whether it is that very block; the header's other members are not looked at. */
  boolean is(@Nullable HeadBlock block) {
    return block != null && hash.equals(block.hash);
  }

  @Override
  public String toString() {
    return number + ":" + hash;
  }
}
