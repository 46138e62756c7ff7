package dev.lasso.subscription;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.routing.event.ClientFilter.Kind;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.subscription.ChainReader.Found;
import dev.lasso.subscription.FilterTable.Applied;
import dev.lasso.subscription.FilterTable.Held;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code eth_getFilterChanges}. A poll that tells something is written first; what it tells
 * is what lies between the records in the topic, so that nothing is told twice or left out whatever
 * processes are polled. A poll that has nothing to tell costs nothing. Thread-safe.
 */
final class FilterPolls {
  /** As go-ethereum says it. */
  static final String NOT_FOUND = "filter not found";

  /** Events without a match after which the cursor is written anew. */
  private static final long MAX_BEHIND = 256;

  private static final long BETWEEN_LOOKS_MS = 20;

  /** JSON of the criteria that are kept as read, and what such an entry takes besides. */
  private static final long MAX_READ_BYTES = 16 << 20;

  private static final int ENTRY_BYTES = 256;

  private final ProcessContext context;
  private final FilterSettings settings;
  private final FilterLedger ledger;
  private final ChainTails tails;
  private final ChainReader reader;
  private final PendingLogs pending;
  private final Set<String> touching = ConcurrentHashMap.newKeySet();
  private final Cache<String, FilterCriteria> criteria =
      Caffeine.newBuilder()
          .maximumWeight(MAX_READ_BYTES)
          .weigher((String _, FilterCriteria read) -> ENTRY_BYTES + read.json().length())
          .build();

  FilterPolls(
      ProcessContext context,
      FilterSettings settings,
      FilterLedger ledger,
      ChainTails tails,
      ChainReader reader,
      PendingLogs pending) {
    this.context = context;
    this.settings = settings;
    this.ledger = ledger;
    this.tails = tails;
    this.reader = reader;
    this.pending = pending;
  }

  /**
   * What a poll tells.
   *
   * @param values a JSON array
   * @param notTold to be run when the caller did not get it: the next poll tells it
   */
  record Polled(JsonSlice values, Runnable notTold) {
    static Polled of(List<Bytes> values, Runnable notTold) {
      Buffer array = Buffer.buffer().appendByte((byte) '[');
      for (int i = 0; i < values.size(); i++) {
        if (i > 0) {
          array.appendByte((byte) ',');
        }
        array.appendBytes(values.get(i).toArray());
      }
      byte[] whole = array.appendByte((byte) ']').getBytes();
      return new Polled(JsonSlice.of(whole, 0, whole.length), notTold);
    }
  }

  /** A poll that is written, or may come to be, and that can't be answered now. */
  static final class NotTold extends Exception {
    private static final long serialVersionUID = 1L;

    private final long from;
    private final boolean written;

    /**
     * @param message for the client
     * @param from sequence number of the last event told before it
     * @param written whether its record has come back
     */
    NotTold(String message, long from, boolean written) {
      super(message, null, false, false);
      this.from = from;
      this.written = written;
    }
  }

  /** The caller was answered an error: what the poll was to tell the next one tells. */
  void takeBack(Held held, String poll, NotTold notTold) {
    ledger.takeBack(held.filter(), poll, notTold.from);
  }

  /** The caller has gone, perhaps to ask another process: he is told should he come back here. */
  void callerGone(Held held, NotTold notTold) {
    if (notTold.written) {
      ledger.untold(held.filter().id(), notTold.from);
    }
  }

  /** Begins to note waiting transactions for a new filter. */
  void listen(ClientFilter filter, ActiveChain chain) {
    var _ = pending.poll(filter, chain, context.vertx().getOrCreateContext());
  }

  /**
   * Polls.
   *
   * @param poll names it; the same name again tells the same again
   * @return fails with a message for the client
   */
  Future<Polled> poll(Held held, ActiveChain chain, String poll) {
    ClientFilter filter = held.filter();
    if (!filter.kind().followsChain()) {
      if (isDue(filter)) {
        touch(filter.polled(0, null, 0, nowMs(), process(), ""));
      }
      return Future.succeededFuture(
          Polled.of(pending.poll(filter, chain, context.vertx().getOrCreateContext()), () -> {}));
    }
    if (held.hasSeen(poll)) {
      return tell(filter, held.lastPollFrom(), filter.cursor());
    }
    ChainTail.News news = tails.of(filter.chain()).news(filter, filter.cursor());
    if (news == null) {
      return lost(filter, "what it had to tell is older than what is kept");
    }
    StreamEvent.Hole hole = hole(news);
    if (hole != null && LoopSubscriptions.strict(chain)) {
      return lost(filter, "blocks " + hole.from() + " to " + hole.to() + " are missing");
    }
    return withLogs(filter, news).compose(complete -> decide(held, complete, poll));
  }

  private static StreamEvent.@Nullable Hole hole(ChainTail.News news) {
    for (StreamEvent event : news.events()) {
      if (event instanceof StreamEvent.Hole hole && hole.sequence() > news.since()) {
        return hole;
      }
    }
    return null;
  }

  private boolean owes(Held held) {
    return held.owes() || ledger.hasUntold(held.filter().id());
  }

  private Future<Polled> decide(Held held, ChainTail.News news, String poll) {
    ClientFilter filter = held.filter();
    if (news.events().isEmpty() && !owes(held)) {
      if (isDue(filter)) {
        touch(filter.polled(news.since(), news.start(), filter.cursor(), nowMs(), process(), ""));
      }
      return Future.succeededFuture(Polled.of(List.of(), () -> {}));
    }
    long upTo = upTo(filter, news);
    boolean tells = !told(filter, news.since(), news.upTo(upTo).events()).isEmpty() || owes(held);
    if (!tells) {
      if (isDue(filter) || upTo - filter.cursor() > MAX_BEHIND) {
        touch(filter.polled(news.since(), news.start(), upTo, nowMs(), process(), ""));
      }
      return Future.succeededFuture(Polled.of(List.of(), () -> {}));
    }
    return ledger
        .write(filter.polled(news.since(), news.start(), upTo, nowMs(), process(), poll))
        .recover(
            e ->
                Future.failedFuture(
                    new NotTold(
                        "filters can't be told at the moment, poll again: " + e.getMessage(),
                        filter.cursor(),
                        false)))
        .compose(
            applied ->
                switch (applied) {
                  case Applied.Told(ClientFilter now, long from, long to) -> {
                    Long untold = ledger.takeUntold(filter.id());
                    yield untold == null
                        ? tell(now, from, to)
                        : tell(now, Math.min(from, untold), to)
                            .onFailure(_ -> ledger.untold(filter.id(), untold));
                  }
                  case Applied.Over _ -> Future.failedFuture(NOT_FOUND);
                  case Applied.Known _ ->
                      Future.failedFuture(
                          new NotTold(
                              "the filter was read anew, poll again", filter.cursor(), true));
                });
  }

  /** How far one answer goes. */
  private long upTo(ClientFilter filter, ChainTail.News news) {
    long bytes = 0;
    long upTo = filter.cursor();
    for (StreamEvent event : news.events()) {
      for (Bytes value : told(filter, news.since(), List.of(event))) {
        bytes += value.size() + 1;
      }
      if (bytes > settings.maxAnswerBytes() && upTo > filter.cursor()) {
        break;
      }
      upTo = event.sequence();
    }
    return upTo;
  }

  private List<Bytes> told(ClientFilter filter, long since, List<StreamEvent> events) {
    return tails.of(filter.chain()).told(filter.kind(), criteria(filter), since, events);
  }

  private @Nullable FilterCriteria criteria(ClientFilter filter) {
    return filter.kind() == Kind.LOGS ? criteria.get(filter.id(), _ -> read(filter)) : null;
  }

  private static FilterCriteria read(ClientFilter filter) {
    return FilterCriteria.read(new JsonObject(filter.criteria()));
  }

  /** What lies between two sequence numbers, as soon as this process has read that far. */
  private Future<Polled> tell(ClientFilter filter, long from, long upTo) {
    Runnable notTold = () -> ledger.untold(filter.id(), from);
    return reached(filter, upTo)
        .compose(
            _ -> {
              ChainTail.News news = tails.of(filter.chain()).news(filter, from);
              if (news == null) {
                return lost(filter, "what it had to tell is older than what is kept");
              }
              return withLogs(filter, news.upTo(upTo))
                  .compose(
                      complete ->
                          complete.events().size() < news.upTo(upTo).events().size()
                              ? Future.failedFuture("logs of a block can't be had now, poll again")
                              : Future.succeededFuture(
                                  Polled.of(
                                      told(filter, news.since(), complete.events()), notTold)));
            })
        .recover(e -> Future.failedFuture(new NotTold(String.valueOf(e.getMessage()), from, true)));
  }

  private Future<Void> reached(ClientFilter filter, long sequence) {
    Promise<Void> promise = Promise.promise();
    look(filter, sequence, nowMs() + settings.patience().toMillis(), promise);
    return promise.future();
  }

  private void look(ClientFilter filter, long sequence, long untilMs, Promise<Void> promise) {
    if (tails.of(filter.chain()).sequence() >= sequence) {
      promise.complete();
    } else if (nowMs() > untilMs) {
      promise.fail("the chain's stream is behind here, poll again");
    } else {
      context.vertx().setTimer(BETWEEN_LOOKS_MS, _ -> look(filter, sequence, untilMs, promise));
    }
  }

  /**
   * Fetches logs that nobody wanted when their block came. News end before the first block whose
   * logs can't be had.
   */
  private Future<ChainTail.News> withLogs(ClientFilter filter, ChainTail.News news) {
    if (filter.kind() != Kind.LOGS) {
      return Future.succeededFuture(news);
    }
    Set<Long> removed = new HashSet<>();
    for (StreamEvent event : news.events()) {
      if (event instanceof StreamEvent.Removed gone) {
        removed.add(gone.addedSequence());
      }
    }
    Set<Long> untold = new HashSet<>();
    List<Future<StreamEvent>> complete = new ArrayList<>();
    boolean missing = false;
    for (StreamEvent event : news.events()) {
      if (event instanceof StreamEvent.Added added
          && added.logs() == null
          && added.sequence() > news.since()) {
        missing = true;
        if (removed.contains(added.sequence())) {
          // never told, so there is nothing to take back
          untold.add(added.sequence());
          complete.add(Future.succeededFuture(added.withLogs(List.of())));
        } else {
          complete.add(logsOf(added));
        }
      } else if (event instanceof StreamEvent.Removed gone
          && untold.contains(gone.addedSequence())) {
        complete.add(Future.succeededFuture(gone.takingBack(List.of())));
      } else {
        complete.add(Future.succeededFuture(event));
      }
    }
    return missing
        ? Future.join(complete).transform(_ -> inOrder(news, complete))
        : Future.succeededFuture(news);
  }

  private Future<StreamEvent> logsOf(StreamEvent.Added added) {
    return reader
        .logs(added.chain(), added.hash(), added.header())
        .compose(
            found ->
                found instanceof Found.Here<List<Bytes>>(List<Bytes> logs)
                    ? Future.succeededFuture(
                        kept(
                            added.withLogs(
                                logs.stream()
                                    .map(LogEntry::read)
                                    .filter(Objects::nonNull)
                                    .toList())))
                    : Future.failedFuture("no logs"));
  }

  private StreamEvent kept(StreamEvent.Added added) {
    tails.of(added.chain()).complete(added);
    return added;
  }

  private Future<ChainTail.News> inOrder(ChainTail.News news, List<Future<StreamEvent>> complete) {
    List<StreamEvent> events = new ArrayList<>();
    for (Future<StreamEvent> event : complete) {
      if (event.failed()) {
        break;
      }
      events.add(event.result());
    }
    return events.isEmpty()
        ? Future.failedFuture("logs of a block can't be had now, poll again")
        : Future.succeededFuture(new ChainTail.News(events, news.since(), news.start()));
  }

  private Future<Polled> lost(ClientFilter filter, String reason) {
    ledger.end(filter.id());
    return Future.failedFuture(NOT_FOUND + ": " + reason);
  }

  /** Whether the topic should hear that the filter is in use. */
  private boolean isDue(ClientFilter filter) {
    return nowMs() - filter.usedAtMs() > settings.expiry().toMillis() / 4;
  }

  /** Says so; once until that is answered, however often it is polled while Kafka is away. */
  private void touch(ClientFilter filter) {
    if (touching.add(filter.id())) {
      ledger.write(filter).onComplete(_ -> touching.remove(filter.id()));
    }
  }

  private long nowMs() {
    return context.clock().millis();
  }

  private String process() {
    return context.id().process();
  }
}
