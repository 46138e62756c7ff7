package dev.lasso.benchmarks.subscriptions;

import dev.lasso.simulator.chain.SimChain;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Mines at an even pace, and waits for clients. Called by the harness's thread. */
final class Blocks {
  private static final long WITHIN_SECONDS = 60;

  private final SimChain chain;
  private final Deliveries deliveries;
  private final long blockMs;
  private long nextNs;

  Blocks(SimChain chain, Deliveries deliveries, long blockMs) {
    this.chain = chain;
    this.deliveries = deliveries;
    this.blockMs = blockMs;
  }

  /** Mines so many blocks; returns a block time after the last. */
  void mine(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      mineOne();
    }
  }

  /** Mines a block when it is due; returns when the next one is. */
  void mineOne() throws InterruptedException {
    nextNs = Math.max(nextNs, System.nanoTime());
    chain.mine();
    nextNs += TimeUnit.MILLISECONDS.toNanos(blockMs);
    long waitNs = nextNs - System.nanoTime();
    if (waitNs > 0) {
      TimeUnit.NANOSECONDS.sleep(waitNs);
    }
  }

  /** Waits until so many clients have the newest header, or gives up: the check tells. */
  void awaitHeads(int clients) throws InterruptedException {
    long newest = chain.head().number();
    await(() -> deliveries.heads(newest), clients);
  }

  /** Waits until a number has been reached, or gives up. */
  static void await(LongSupplier number, long reached) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WITHIN_SECONDS);
    while (number.getAsLong() < reached && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}
