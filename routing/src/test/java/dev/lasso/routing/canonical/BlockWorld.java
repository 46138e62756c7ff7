package dev.lasso.routing.canonical;

import dev.lasso.routing.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The truth that a stream is measured against: a chain that grows and reorganises by chance. */
final class BlockWorld {
  private final SplittableRandom random;
  private final List<HeadBlock> chain = new ArrayList<>();
  private final Map<String, HeadBlock> made = new HashMap<>();
  private int names;

  BlockWorld(SplittableRandom random, long firstNumber) {
    this.random = random;
    add(block(firstNumber, "genesis"));
  }

  HeadBlock block(long number, String parentHash) {
    names++;
    return new HeadBlock(number, "b" + names, parentHash, Bytes.EMPTY, "node");
  }

  private void add(HeadBlock block) {
    chain.add(block);
    made.put(block.hash(), block);
  }

  HeadBlock head() {
    return chain.getLast();
  }

  HeadBlock behind(int blocks) {
    return chain.get(Math.max(0, chain.size() - 1 - blocks));
  }

  void mine() {
    add(block(head().number() + 1, head().hash()));
  }

  /** Replaces the newest blocks by one more than they were; the branch grows block by block. */
  void fork(int depth) {
    int keep = Math.max(1, chain.size() - depth);
    int length = chain.size() - keep + 1 + random.nextInt(2);
    chain.subList(keep, chain.size()).clear();
    for (int i = 0; i < length; i++) {
      mine();
    }
  }

  /** A block that some node has, or null. */
  @Nullable HeadBlock byHash(String hash) {
    return made.get(hash);
  }

  List<HeadBlock> chain() {
    return chain;
  }
}
