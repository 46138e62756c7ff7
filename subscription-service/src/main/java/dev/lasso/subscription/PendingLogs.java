package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.routing.event.ClientFilter.Kind;
import dev.lasso.routing.snapshot.ActiveChain;
import io.vertx.core.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What filters of waiting transactions are told: only this process's listening, nothing of it is
 * kept elsewhere. Listening to a chain ends with its last filter here. Thread-safe.
 */
final class PendingLogs {
  private final PendingTransactions pending;
  private final FilterTable table;
  private final FilterSettings settings;
  private final Map<Key, Listening> logs = new HashMap<>();

  private record Key(ProfileSlug profile, ChainId chain, boolean full) {}

  private record Listening(PendingLog log, Runnable end) {}

  PendingLogs(PendingTransactions pending, FilterTable table, FilterSettings settings) {
    this.settings = settings;
    this.pending = pending;
    this.table = table;
  }

  /** What came since the filter was told last. */
  synchronized List<Bytes> poll(ClientFilter filter, ActiveChain chain, Context loop) {
    boolean full = filter.kind() == Kind.PENDING_TRANSACTIONS;
    return logs.computeIfAbsent(
            new Key(filter.profile(), filter.chain(), full),
            _ -> {
              PendingLog log = new PendingLog(settings.maxPendingBytes());
              return new Listening(
                  log, pending.listen(filter.profile(), chain, full, loop, log::add));
            })
        .log()
        .poll(filter.id(), settings.maxAnswerBytes());
  }

  /** Ends what no filter needs any more. */
  synchronized void sweep() {
    Set<String> living =
        table.all().stream()
            .map(held -> held.filter().id())
            .collect(Collectors.toUnmodifiableSet());
    logs.values()
        .removeIf(
            listening -> {
              boolean over = listening.log().keep(living);
              if (over) {
                listening.end().run();
              }
              return over;
            });
  }
}
