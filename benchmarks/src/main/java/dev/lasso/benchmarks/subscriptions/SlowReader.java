package dev.lasso.benchmarks.subscriptions;

import static dev.lasso.benchmarks.subscriptions.Platform.say;

import dev.lasso.simulator.chain.SimBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client that is sent much and stops reading: it must be closed with 1008, and a new connection
 * must give it what it missed. Called by the harness's thread.
 */
final class SlowReader {
  private static final int READ_BLOCKS = 2;
  private static final int MOST_BLOCKS = 500;

  private final Crowd crowd;
  private final Platform platform;
  private final Deliveries deliveries;
  private final Blocks mining;
  private final Client client;
  private final int subscriptions;
  private final long maxQueueBytes;
  private final double closedBefore;
  private long from;
  private String closed = "";
  private double mostQueued;

  /**
   * Connects and subscribes.
   *
   * @param subscriptions how many to all logs
   * @param maxQueueBytes what may wait for it
   */
  SlowReader(
      Crowd crowd,
      Platform platform,
      Deliveries deliveries,
      Blocks mining,
      int subscriptions,
      long maxQueueBytes)
      throws IOException, InterruptedException {
    this.maxQueueBytes = maxQueueBytes;
    this.crowd = crowd;
    this.platform = platform;
    this.deliveries = deliveries;
    this.mining = mining;
    this.subscriptions = subscriptions;
    this.closedBefore = closedSlow();
    this.client = crowd.connectNarrow();
    client.newHeads("", 0).join();
    client.logs(Collections.nCopies(subscriptions, Watch.ALL), "", 0).join();
  }

  /**
   * Reads two blocks, and then does not read while more are mined, until the server has had enough
   * of it.
   */
  void stopReading() throws IOException, InterruptedException {
    mining.mine(READ_BLOCKS);
    Blocks.await(client::heads, READ_BLOCKS);
    from = deliveries.newest() + 1;
    client.reading(false);
    int mined = 0;
    while (closedSlow() == closedBefore && mined < MOST_BLOCKS) {
      mining.mineOne();
      mined++;
      mostQueued = Math.max(mostQueued, platform.meter("lasso_ws_queued_bytes", ""));
    }
    client.reading(true);
    try {
      closed = client.closed().get(20, TimeUnit.SECONDS) + (mined == 0 ? ", while it read" : "");
    } catch (ExecutionException | TimeoutException e) {
      closed = "not closed: " + e;
    }
    say(
        "slow reader (%d subscriptions to all logs): after %d blocks closed with \"%s\";"
            + " at most %.1f MiB seen waiting for it, resident %d MiB",
        subscriptions, mined, closed, mostQueued / (1 << 20), platform.residentMib(false));
  }

  /** The first block that was mined while it did not read. */
  long from() {
    return from;
  }

  private double closedSlow() throws IOException, InterruptedException {
    return platform.meter("lasso_ws_closed_total", "reason=\"slow_reader\"");
  }

  /** Connects again and resumes where it was; returns what is not as it should be. */
  List<String> resume() throws InterruptedException {
    List<String> faults = new ArrayList<>();
    if (!closed.matches("1008 slow reader: .* with resume")) {
      faults.add("the slow reader was closed with: " + closed);
    }
    if (mostQueued > maxQueueBytes) {
      faults.add("%.0f bytes waited for the slow reader".formatted(mostQueued));
    }
    if (!client.fault().isEmpty()) {
      faults.add("the slow reader: " + client.fault());
    }
    long last = client.lastHead();
    Client next = crowd.connectNarrow();
    next.newHeads(client.lastHash(), last).join();
    // a header comes before its block's logs, of which some may be missing
    next.logs(List.of(Watch.ALL), client.hashBefore(), last - 1).join();
    mining.mine(3);
    List<SimBlock> missed = deliveries.from(last + 1);
    long logs = deliveries.from(last).stream().mapToLong(block -> block.logs().size()).sum();
    Blocks.await(next::heads, missed.size());
    Blocks.await(next::logs, logs);
    say(
        "resumed after block %d: %d of %d blocks and %d of %d logs",
        last, next.heads(), missed.size(), next.logs(), logs);
    if (next.heads() != missed.size() || next.logs() != logs || !next.fault().isEmpty()) {
      faults.add("the slow reader did not get what it missed: " + next.fault());
    }
    next.close();
    return faults;
  }
}
