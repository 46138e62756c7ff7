package dev.lasso.subscription;

import dev.lasso.engine.pipeline.RpcTarget;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.routing.event.ClientFilter.Kind;
import io.vertx.core.Future;

/** Makes filters: a filter is there when the topic has it. Thread-safe. */
final class FilterMaking {
  private final ProcessContext context;
  private final ChainDemand demand;
  private final ChainTails tails;
  private final FilterLedger ledger;
  private final Runnable follow;

  /**
   * @param follow makes the chains of all filters be followed
   */
  FilterMaking(
      ProcessContext context,
      ChainDemand demand,
      ChainTails tails,
      FilterLedger ledger,
      Runnable follow) {
    this.context = context;
    this.demand = demand;
    this.tails = tails;
    this.ledger = ledger;
    this.follow = follow;
  }

  /** The filter; fails with a reason for the client. */
  Future<ClientFilter> make(
      String id, RpcTarget target, Kind kind, String criteria, String client) {
    ChainId chain = target.chain().settings().chainId();
    if (!kind.followsChain()) {
      return write(filter(id, target, kind, criteria, client, 0, null));
    }
    boolean logs = kind == Kind.LOGS;
    return demand
        .acquire(chain, logs)
        .transform(
            head ->
                head.failed()
                    ? Future.failedFuture(
                        "the chain's head is not known now: " + head.cause().getMessage())
                    : write(after(id, target, kind, criteria, client, head.result())))
        .eventually(
            () -> {
              // from now on the filter itself keeps the chain followed
              follow.run();
              demand.release(chain, logs);
              return Future.succeededFuture();
            });
  }

  private ClientFilter after(
      String id, RpcTarget target, Kind kind, String criteria, String client, StartingPoint head) {
    ChainTail tail = tails.of(target.chain().settings().chainId());
    boolean past = tail.isPast(head);
    return filter(
        id,
        target,
        kind,
        criteria,
        client,
        tail.sequence(),
        past ? null : new ClientFilter.Start(head.number(), head.hash()));
  }

  private ClientFilter filter(
      String id,
      RpcTarget target,
      Kind kind,
      String criteria,
      String client,
      long since,
      ClientFilter.@org.jspecify.annotations.Nullable Start start) {
    long nowMs = context.clock().millis();
    return new ClientFilter(
        id,
        target.profile().profile().slug(),
        target.chain().settings().chainId(),
        kind,
        criteria,
        client,
        since,
        start,
        since,
        nowMs,
        nowMs,
        context.id().process(),
        "",
        false);
  }

  private Future<ClientFilter> write(ClientFilter filter) {
    return ledger.write(filter).map(filter);
  }
}
