package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Fetches the logs of blocks that were written before anybody wanted them: a few at a time, so that
 * a long resume is no flood at providers, and again for as long as a block of the stream would wait
 * for its logs. A block that a later event takes back is told without: its providers have it no
 * more. Belongs to an event loop.
 */
final class LateLogs {
  private static final int AT_ONCE = 16;
  private static final long RETRY_MS = 250;

  /** More time for more blocks; then what is still missing stays so. */
  private static final long FOR_EACH_NS = 100_000_000;

  /** Where the logs of a block come from; futures never fail. */
  interface Source {
    Future<Found<List<Bytes>>> logs(ChainId chain, String hash, Bytes header);
  }

  private final Context loop;
  private final Source source;
  private final Duration within;

  /**
   * @param source asked for the logs of one block
   * @param within how long logs are asked for, and a tenth of a second more for each event
   */
  LateLogs(Context loop, Source source, Duration within) {
    this.loop = loop;
    this.source = source;
    this.within = within;
  }

  /**
   * The events with what was missing; a block whose logs can't be had stays without.
   *
   * @return completes on the loop, never fails
   */
  Future<List<StreamEvent>> of(List<StreamEvent> events) {
    Fetch fetch = new Fetch(events);
    fetch.next();
    return fetch.promise.future();
  }

  private final class Fetch {
    private final List<StreamEvent> complete;
    private final Deque<Integer> missing = new ArrayDeque<>();
    private final Promise<List<StreamEvent>> promise = Promise.promise();
    private final long untilNs;
    private int underWay;

    Fetch(List<StreamEvent> events) {
      complete = new ArrayList<>(events);
      untilNs = System.nanoTime() + within.toNanos() + events.size() * FOR_EACH_NS;
      Set<Long> removed = new HashSet<>();
      for (StreamEvent event : events) {
        if (event instanceof StreamEvent.Removed gone) {
          removed.add(gone.addedSequence());
        }
      }
      Set<Long> untold = new HashSet<>();
      for (int i = 0; i < events.size(); i++) {
        switch (events.get(i)) {
          case StreamEvent.Added added when added.logs() == null -> {
            if (removed.contains(added.sequence())) {
              untold.add(added.sequence());
              complete.set(i, added.withLogs(List.of()));
            } else {
              missing.add(i);
            }
          }
          case StreamEvent.Removed gone when untold.contains(gone.addedSequence()) ->
              complete.set(i, gone.takingBack(List.of()));
          case StreamEvent _ -> {}
        }
      }
    }

    private void next() {
      if (isLate()) {
        missing.clear();
      }
      while (underWay < AT_ONCE && !missing.isEmpty()) {
        int index = missing.removeFirst();
        if (complete.get(index) instanceof StreamEvent.Added added) {
          underWay++;
          ask(index, added);
        }
      }
      if (underWay == 0) {
        promise.tryComplete(List.copyOf(complete));
      }
    }

    private boolean isLate() {
      return System.nanoTime() - untilNs >= 0;
    }

    private void ask(int index, StreamEvent.Added added) {
      source
          .logs(added.chain(), added.hash(), added.header())
          .onComplete(
              answer ->
                  loop.runOnContext(
                      _ -> {
                        if (answer.result() instanceof Found.Here<List<Bytes>>(List<Bytes> logs)) {
                          complete.set(index, added.withLogs(read(logs)));
                        } else if (!isLate()) {
                          loop.owner().setTimer(RETRY_MS, _ -> ask(index, added));
                          return;
                        }
                        underWay--;
                        next();
                      }));
    }
  }

  private static List<LogEntry> read(List<Bytes> logs) {
    return logs.stream().map(LogEntry::read).filter(Objects::nonNull).toList();
  }
}
