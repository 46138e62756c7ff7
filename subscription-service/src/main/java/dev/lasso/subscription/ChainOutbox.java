package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.canonical.HeadEvent;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.subscription.ChainReader.Found;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happened to a chain and is not written yet, in order. A block whose logs somebody wants
 * waits for them, and what comes after waits behind it. Belongs to the owner's thread.
 */
final class ChainOutbox {
  private static final Logger log = LoggerFactory.getLogger(ChainOutbox.class);

  private static final long LOGS_RETRY_MS = 250;

  /** Blocks whose logs are kept, to be told again when the block is removed. */
  private static final int BLOCKS_WITH_LOGS = 64;

  /** What these may take in memory. */
  private static final long KEPT_LOG_BYTES = 32L << 20;

  /**
   * Logs that are written with their block, at most: a record takes 16 MiB before compression
   * ({@code ProducerLimits}), and the header has its place in it as well.
   */
  static final long MAX_LOG_BYTES = 15L << 20;

  /** What a log takes in a record beside its bytes, at most. */
  private static final long AROUND_A_LOG = 8;

  private final ChainId chain;
  private final OwnedChain.Outside outside;
  private final long logsWithinMs;
  private final Deque<Entry> entries = new ArrayDeque<>();
  private final Map<String, List<Bytes>> recentLogs = new LinkedHashMap<>();
  private long recentBytes;
  private long sequence;

  /**
   * @param logsWithinMs after this a block goes out without its logs; who wants them asks for them
   * @param sequence of the last event written
   */
  ChainOutbox(ChainId chain, OwnedChain.Outside outside, long logsWithinMs, long sequence) {
    this.logsWithinMs = logsWithinMs;
    this.chain = chain;
    this.outside = outside;
    this.sequence = sequence;
  }

  /** Something to be written. */
  private sealed interface Entry {}

  /** Ready as it is. */
  private record Ready(Numbered event) implements Entry {}

  /** Makes the event once its place is known. */
  private interface Numbered {
    ChainEvent at(long sequence, long atMs);
  }

  /** A block whose logs are being fetched. */
  private static final class Awaiting implements Entry {
    private final HeadBlock block;
    private final long sinceMs;
    private long nextTryMs;
    private boolean asking;
    private boolean done;
    private @Nullable List<Bytes> logs;

    Awaiting(HeadBlock block, long nowMs) {
      this.block = block;
      this.sinceMs = nowMs;
      this.nextTryMs = nowMs;
    }
  }

  /**
   * Adds what a change of the tree says to subscribers, if anything.
   *
   * @param reason why blocks are skipped
   */
  void add(HeadEvent event, String reason) {
    switch (event) {
      case HeadEvent.Added(HeadBlock block) -> {
        if (outside.wantsLogs()) {
          Awaiting awaiting = new Awaiting(block, outside.nowMs());
          entries.addLast(awaiting);
          askForLogs(awaiting);
        } else {
          entries.addLast(new Ready((at, atMs) -> added(block, null, at, atMs)));
        }
      }
      case HeadEvent.Removed(HeadBlock block) ->
          entries.addLast(
              new Ready(
                  (at, atMs) ->
                      new ChainEvent.BlockRemoved(
                          chain,
                          at,
                          atMs,
                          block.number(),
                          block.hash(),
                          block.parentHash(),
                          recentLogs.get(block.hash()))));
      case HeadEvent.Skipped(long from, long to) ->
          entries.addLast(
              new Ready((at, atMs) -> new ChainEvent.Gap(chain, at, atMs, from, to, reason)));
      case HeadEvent.Kept _, HeadEvent.Forgotten _ -> {}
    }
  }

  void state(ChainEvent.StreamState state, long number, String reason) {
    entries.addLast(
        new Ready(
            (at, atMs) ->
                new ChainEvent.StreamStateChanged(chain, at, atMs, number, state, reason)));
  }

  private ChainEvent added(HeadBlock block, @Nullable List<Bytes> logs, long at, long atMs) {
    return new ChainEvent.BlockAdded(
        chain,
        at,
        atMs,
        block.number(),
        block.hash(),
        block.parentHash(),
        block.header(),
        logs,
        block.source());
  }

  private void askForLogs(Awaiting awaiting) {
    awaiting.asking = true;
    outside
        .logs(awaiting.block)
        .onComplete(
            result ->
                outside.later(
                    () -> {
                      awaiting.asking = false;
                      if (result.succeeded()
                          && result.result() instanceof Found.Here<List<Bytes>>(var logs)) {
                        answered(awaiting, logs);
                      } else {
                        awaiting.nextTryMs = outside.nowMs() + LOGS_RETRY_MS;
                      }
                    }));
  }

  /** Logs that no record could hold are left to those who want them, as late ones are. */
  private void answered(Awaiting awaiting, List<Bytes> logs) {
    awaiting.done = true;
    long bytes = size(logs);
    if (bytes <= MAX_LOG_BYTES) {
      awaiting.logs = logs;
      return;
    }
    log.atWarn()
        .addKeyValue("chain", chain)
        .addKeyValue("block", awaiting.block.number())
        .addKeyValue("bytes", bytes)
        .log("logs of a block are too large to be written with it");
  }

  private static long size(List<Bytes> logs) {
    return logs.stream().mapToLong(log -> log.size() + AROUND_A_LOG).sum();
  }

  /** Asks again where it is time to, and stops waiting where it was too long. */
  void tick() {
    long nowMs = outside.nowMs();
    for (Entry entry : entries) {
      if (entry instanceof Awaiting awaiting && !awaiting.done) {
        if (nowMs - awaiting.sinceMs > logsWithinMs) {
          awaiting.done = true;
          log.atWarn()
              .addKeyValue("chain", chain)
              .addKeyValue("block", awaiting.block.number())
              .log("logs of a block could not be fetched");
        } else if (!awaiting.asking && nowMs >= awaiting.nextTryMs) {
          askForLogs(awaiting);
        }
      }
    }
  }

  /** Takes what is ready in order, with consecutive sequence numbers. */
  List<ChainEvent> takeReady() {
    List<ChainEvent> ready = new ArrayList<>();
    while (!entries.isEmpty()) {
      switch (entries.getFirst()) {
        case Ready(Numbered event) -> ready.add(event.at(++sequence, outside.nowMs()));
        case Awaiting awaiting -> {
          if (!awaiting.done) {
            return ready;
          }
          remember(awaiting);
          ready.add(added(awaiting.block, awaiting.logs, ++sequence, outside.nowMs()));
        }
      }
      entries.removeFirst();
    }
    return ready;
  }

  private void remember(Awaiting awaiting) {
    List<Bytes> logs = awaiting.logs;
    if (logs == null) {
      return;
    }
    List<Bytes> before = recentLogs.put(awaiting.block.hash(), logs);
    recentBytes += size(logs) - (before == null ? 0 : size(before));
    Iterator<List<Bytes>> oldest = recentLogs.values().iterator();
    while (recentLogs.size() > BLOCKS_WITH_LOGS || recentBytes > KEPT_LOG_BYTES) {
      recentBytes -= size(oldest.next());
      oldest.remove();
    }
  }
}
