package dev.lasso.subscription;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.runtime.Service;
import dev.lasso.subscription.FilterTable.Held;
import java.util.HashSet;
import java.util.Set;

/**
 * Keeps the chains of living filters followed, in every process, so that the death of one is no
 * loss; takes away those that nobody polls. Thread-safe.
 */
final class FilterUpkeep implements Service {
  private static final long EVERY_MS = 1_000;

  private final ProcessContext context;
  private final FilterExpiry expiry;
  private final FilterTable table;
  private final FilterLedger ledger;
  private final ChainDemand demand;
  private final Runnable tidy;
  private final Set<Wanted> followed = new HashSet<>();
  private boolean stopped;
  private long timer;

  private record Wanted(ChainId chain, boolean logs) {}

  /**
   * @param tidy run as often as filters are looked through
   */
  FilterUpkeep(
      ProcessContext context,
      FilterSettings settings,
      FilterTable table,
      FilterLedger ledger,
      ChainDemand demand,
      Runnable tidy) {
    this.tidy = tidy;
    this.context = context;
    this.expiry =
        new FilterExpiry(settings.expiry(), context.id().process(), context.clock().millis());
    this.table = table;
    this.ledger = ledger;
    this.demand = demand;
  }

  @Override
  public String name() {
    return "filter upkeep";
  }

  @Override
  public void start() {
    timer = context.vertx().setPeriodic(EVERY_MS, _ -> tick());
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    context.vertx().cancelTimer(timer);
    followed.forEach(wanted -> demand.release(wanted.chain(), wanted.logs()));
    followed.clear();
  }

  private void tick() {
    long nowMs = context.clock().millis();
    expiry.topic(ledger.isCurrent(), nowMs);
    Set<String> living = new HashSet<>();
    for (Held held : table.all()) {
      ClientFilter filter = held.filter();
      living.add(filter.id());
      if (expiry.isToBeEnded(filter, nowMs) && ledger.end(filter.id())) {
        expiry.ended(filter.id(), nowMs);
      }
    }
    expiry.keep(living);
    tidy.run();
    follow();
  }

  /** A filter is polled here. */
  void polled(Held held) {
    expiry.polled(held.filter().id(), context.clock().millis());
  }

  /** Whether a filter was not polled for too long. */
  boolean expired(Held held) {
    return expiry.isOver(held.filter(), context.clock().millis());
  }

  /** Compares what is followed with what is needed. */
  synchronized void follow() {
    if (stopped) {
      return;
    }
    Set<Wanted> needed = new HashSet<>();
    for (Held held : table.all()) {
      if (held.filter().kind().followsChain() && !expired(held)) {
        needed.add(
            new Wanted(held.filter().chain(), held.filter().kind() == ClientFilter.Kind.LOGS));
      }
    }
    for (Wanted wanted : needed) {
      if (followed.add(wanted)) {
        var _ = demand.acquire(wanted.chain(), wanted.logs());
      }
    }
    followed.removeIf(
        wanted -> {
          boolean over = !needed.contains(wanted);
          if (over) {
            demand.release(wanted.chain(), wanted.logs());
          }
          return over;
        });
  }
}
