package dev.lasso.replay.timeline;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import java.util.HashMap;
import java.util.Map;

/** Reorgs, gaps and backfills of the canonical chain, from {@code chain-events}. */
final class StreamDetector {
  private final Entries entries;
  private final Map<ChainId, Reorg> reorgs = new HashMap<>();

  private static final class Reorg {
    private final long atMs;
    private final long head;
    private long lowest;
    private int removed;

    Reorg(long atMs, long head) {
      this.atMs = atMs;
      this.head = head;
    }
  }

  StreamDetector(Entries entries) {
    this.entries = entries;
  }

  void take(ChainEvent event) {
    switch (event) {
      case ChainEvent.BlockRemoved removed -> {
        Reorg reorg =
            reorgs.computeIfAbsent(
                removed.chain(), _ -> new Reorg(removed.atMs(), removed.number()));
        reorg.lowest = removed.number();
        reorg.removed++;
      }
      case ChainEvent.BlockAdded added -> over(added.chain());
      case ChainEvent.Gap gap ->
          entries.add(
              Entry.at(
                  gap.atMs(),
                  Kind.STREAM,
                  Severity.BAD,
                  Subject.chain(null, gap.chain()),
                  "blocks "
                      + gap.number()
                      + " to "
                      + gap.toNumber()
                      + " were not filled: "
                      + gap.reason()));
      case ChainEvent.StreamStateChanged changed ->
          entries.add(
              Entry.at(
                  changed.atMs(),
                  Kind.STREAM,
                  severity(changed.state()),
                  Subject.chain(null, changed.chain()),
                  "subscriptions "
                      + words(changed.state())
                      + " at block "
                      + changed.number()
                      + (changed.reason().isBlank() ? "" : ": " + changed.reason())));
    }
  }

  private static Severity severity(ChainEvent.StreamState state) {
    return switch (state) {
      case ACTIVE -> Severity.GOOD;
      case BACKFILLING, SWITCHING -> Severity.WARN;
      case DEGRADED -> Severity.BAD;
    };
  }

  private static String words(ChainEvent.StreamState state) {
    return switch (state) {
      case ACTIVE -> "in order";
      case BACKFILLING -> "fill a gap";
      case SWITCHING -> "change their source";
      case DEGRADED -> "degraded";
    };
  }

  private void over(ChainId chain) {
    Reorg reorg = reorgs.remove(chain);
    if (reorg != null) {
      entries.add(
          Entry.at(
              reorg.atMs,
              Kind.REORG,
              Severity.WARN,
              Subject.chain(null, chain),
              "reorg: "
                  + Words.count(reorg.removed, "block", "blocks")
                  + " removed, "
                  + reorg.lowest
                  + " to "
                  + reorg.head));
    }
  }

  /** The period is over. */
  void finish() {
    for (ChainId chain : reorgs.keySet().toArray(new ChainId[0])) {
      over(chain);
    }
  }
}
