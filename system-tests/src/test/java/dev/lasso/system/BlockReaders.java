package dev.lasso.system;

import dev.lasso.simulator.chain.SimChain;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Callers that read blocks of a simulated chain at a gateway, each after a short pause, until
 * closed. They keep what failed or was not the chain's block, and how long each answer took. A
 * virtual thread for each.
 */
final class BlockReaders implements AutoCloseable {
  private static final int CALLERS = 4;
  private static final long PAUSE_MS = 10;
  private static final int BLOCKS = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Rpc gateway;
  private final String path;
  private final SimChain chain;
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final List<Thread> callers = new ArrayList<>();
  private List<Long> tookNs = new ArrayList<>();

  private BlockReaders(Rpc gateway, String path, SimChain chain) {
    this.gateway = gateway;
    this.path = path;
    this.chain = chain;
  }

  /** Begins to read. */
  static BlockReaders start(Rpc gateway, String path, SimChain chain) {
    BlockReaders readers = new BlockReaders(gateway, path, chain);
    for (int i = 0; i < CALLERS; i++) {
      readers.callers.add(Thread.ofVirtual().start(readers::run));
    }
    return readers;
  }

  private void run() {
    try {
      do {
        read(ThreadLocalRandom.current().nextLong(1, BLOCKS));
      } while (!closing.await(PAUSE_MS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(long number) {
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBlockByNumber\",\"params\":[\"0x%s\",false]}"
            .formatted(Long.toHexString(number));
    try {
      long beganNs = System.nanoTime();
      JsonObject answer = gateway.result(path, call);
      took(System.nanoTime() - beganNs);
      String hash = answer.getJsonObject("result").getString("hash");
      if (!Objects.equals(hash, chain.block(number).hash())) {
        failures.add("block " + number + ": " + answer.encode());
      }
    } catch (AssertionError | RuntimeException e) {
      failures.add(e.toString());
    }
  }

  private synchronized void took(long ns) {
    tookNs.add(ns);
  }

  private synchronized List<Long> takeAll() {
    List<Long> all = tookNs;
    tookNs = new ArrayList<>();
    return all;
  }

  /** How long answers took, milliseconds. */
  record Times(int answers, double p50Ms, double p99Ms, double longestMs) {
    private static Times of(List<Long> tookNs) {
      double[] ms = tookNs.stream().mapToDouble(ns -> (double) ns / 1e6).sorted().toArray();
      return new Times(
          ms.length,
          FailureSpread.percentile(ms, 0.5),
          FailureSpread.percentile(ms, 0.99),
          Arrays.stream(ms).max().orElseThrow());
    }

    @Override
    public String toString() {
      return "%d answers, p50 %.1f ms, p99 %.1f ms, longest %.1f ms"
          .formatted(answers, p50Ms, p99Ms, longestMs);
    }
  }

  /** The answers that come within a time from now, some at least. */
  Times during(Duration time) {
    takeAll();
    List<Long> taken = new ArrayList<>();
    long endNs = System.nanoTime() + time.toNanos();
    Await.await()
        .atMost(time.plus(PATIENCE))
        .until(
            () -> {
              taken.addAll(takeAll());
              return System.nanoTime() >= endNs && !taken.isEmpty();
            });
    return Times.of(taken);
  }

  /** What failed or was wrong so far. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    closing.countDown();
    Load.join(callers);
  }
}
