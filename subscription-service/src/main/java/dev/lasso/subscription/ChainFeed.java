package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prepares one chain's events for this process: in order, each once, with logs where a subscriber
 * here wants them. A block that was written before anybody wanted its logs has none; then they are
 * fetched here, and what comes after waits. That is for blocks of its own time: history that it
 * begins with stays as it was written, and who needs logs of it asks for them. All methods may be
 * called from any thread; events are given out under the feed's lock, so in order.
 */
final class ChainFeed {
  private static final long RETRY_MS = 250;

  /** Clocks of processes may differ by so much. */
  private static final long CLOCKS_MS = 5_000;

  private final ChainId chain;
  private final Surroundings around;
  private final StreamSettings settings;
  private final Consumer<StreamEvent> out;
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private final Map<String, StreamEvent.Added> byHash = new LinkedHashMap<>();
  private final long historyUntilMs;
  private long position;

  /** What a feed needs of the process around it. */
  interface Surroundings {
    Future<Found<List<Bytes>>> logs(String hash, Bytes header);

    /** Whether a subscriber of this process needs logs of the chain now. */
    boolean wantsLogs();

    long nowMs();

    /** Runs something later. */
    void after(long delayMs, Runnable step);
  }

  /**
   * @param position of the last event that a feed before this one gave out; 0 when there was none
   * @param out given the events in order
   */
  ChainFeed(
      ChainId chain,
      Surroundings around,
      StreamSettings settings,
      long position,
      Consumer<StreamEvent> out) {
    this.position = position;
    this.settings = settings;
    this.chain = chain;
    this.around = around;
    this.out = out;
    this.historyUntilMs = around.nowMs() - longestMs() - CLOCKS_MS;
  }

  /** How long an event waits for logs. */
  private long longestMs() {
    return 2 * settings.logsWithin().toMillis();
  }

  private static final class Entry {
    private final ChainEvent event;
    private final long sinceMs;
    private boolean ready;
    private boolean asked;
    private @Nullable List<Bytes> logs;

    Entry(ChainEvent event, long sinceMs) {
      this.event = event;
      this.sinceMs = sinceMs;
    }
  }

  /**
   * Gives out nothing more, whatever is still being fetched.
   *
   * @return position of the last event given out
   */
  synchronized long end() {
    waiting.clear();
    return position;
  }

  /** Takes the next event. */
  synchronized void take(ChainEvent event) {
    Entry entry = new Entry(event, around.nowMs());
    waiting.addLast(entry);
    if (event instanceof ChainEvent.BlockAdded added) {
      entry.logs = added.logs();
      if (added.logs() == null && added.atMs() >= historyUntilMs && around.wantsLogs()) {
        fetch(entry, added);
      } else {
        entry.ready = true;
      }
    } else if (event instanceof ChainEvent.BlockRemoved removed) {
      entry.logs = removed.logs();
    } else {
      entry.ready = true;
    }
    advance();
  }

  private void fetch(Entry entry, ChainEvent.BlockAdded added) {
    around
        .logs(added.hash(), added.header())
        .onComplete(
            result -> {
              if (result.succeeded()
                  && result.result() instanceof Found.Here<List<Bytes>>(var logs)) {
                ready(entry, logs);
              } else if (around.nowMs() - entry.sinceMs > longestMs()) {
                ready(entry, null);
              } else {
                around.after(RETRY_MS, () -> fetch(entry, added));
              }
            });
  }

  private synchronized void ready(Entry entry, @Nullable List<Bytes> logs) {
    entry.logs = logs;
    entry.ready = true;
    advance();
  }

  private void advance() {
    while (!waiting.isEmpty()) {
      turn(waiting.getFirst());
      // an answer that was there at once has advanced already
      if (waiting.isEmpty() || !waiting.getFirst().ready) {
        return;
      }
      out.accept(prepared(waiting.removeFirst()));
    }
  }

  /** It is an entry's turn: what it needs of the entries before it is known now. */
  private void turn(Entry entry) {
    if (entry.ready || entry.asked || !(entry.event instanceof ChainEvent.BlockRemoved removed)) {
      return;
    }
    entry.asked = true;
    StreamEvent.Added added = byHash.get(removed.hash());
    if (entry.logs == null && added != null && added.logs() == null && around.wantsLogs()) {
      fetchToTakeBack(entry, added);
    } else {
      entry.ready = true;
    }
  }

  /** Another process may have told the logs of a block that is known without them here. */
  private void fetchToTakeBack(Entry entry, StreamEvent.Added added) {
    around
        .logs(added.hash(), added.header())
        .onComplete(
            result -> {
              Found<List<Bytes>> found =
                  result.succeeded() ? result.result() : new Found.Unanswered<>("failed");
              switch (found) {
                case Found.Here<List<Bytes>>(var logs) -> ready(entry, logs);
                // providers forget blocks that are gone
                case Found.Nowhere<List<Bytes>> _ -> ready(entry, null);
                case Found.Unanswered<List<Bytes>> _ -> {
                  if (around.nowMs() - entry.sinceMs > longestMs()) {
                    ready(entry, null);
                  } else {
                    around.after(RETRY_MS, () -> fetchToTakeBack(entry, added));
                  }
                }
              }
            });
  }

  private StreamEvent prepared(Entry entry) {
    position++;
    return switch (entry.event) {
      case ChainEvent.BlockAdded added -> {
        StreamEvent.Added prepared =
            new StreamEvent.Added(
                chain,
                position,
                added.sequence(),
                added.atMs(),
                added.number(),
                added.hash(),
                added.header(),
                parsed(entry.logs));
        byHash.put(added.hash(), prepared);
        // so that its removal can be told in full
        if (byHash.size() > settings.window()) {
          byHash.remove(byHash.keySet().iterator().next());
        }
        yield prepared;
      }
      case ChainEvent.BlockRemoved removed -> {
        StreamEvent.Added added = byHash.remove(removed.hash());
        List<LogEntry> logs = added == null ? null : added.logs();
        yield new StreamEvent.Removed(
            chain,
            position,
            removed.sequence(),
            removed.number(),
            removed.hash(),
            added == null ? 0 : added.position(),
            added == null ? 0 : added.sequence(),
            takenBack(logs == null ? parsed(entry.logs) : logs));
      }
      case ChainEvent.Gap gap ->
          new StreamEvent.Hole(
              chain, position, gap.sequence(), gap.number(), gap.toNumber(), gap.reason());
      case ChainEvent.StreamStateChanged changed ->
          new StreamEvent.StateChanged(
              chain, position, changed.sequence(), changed.state(), changed.reason());
    };
  }

  static @Nullable List<LogEntry> parsed(@Nullable List<Bytes> logs) {
    return logs == null
        ? null
        : logs.stream().map(LogEntry::read).filter(Objects::nonNull).toList();
  }

  /** As go-ethereum takes logs back: the last one first. */
  static @Nullable List<LogEntry> takenBack(@Nullable List<LogEntry> logs) {
    return logs == null
        ? null
        : new ArrayList<>(logs).reversed().stream().map(LogEntry::removed).toList();
  }
}
