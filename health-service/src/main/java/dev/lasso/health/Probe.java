package dev.lasso.health;

import dev.lasso.engine.query.Answer;
import dev.lasso.engine.query.NodeQuery;
import dev.lasso.engine.query.Quantity;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * One probe: does the endpoint answer for the right chain, what is its height, is it syncing? Each
 * question waits for the answer to the one before. Belongs to one event loop.
 */
final class Probe {
  private final NodeQuery node;
  private final ProbeTarget target;

  Probe(NodeQuery node, ProbeTarget target) {
    this.node = node;
    this.target = target;
  }

  /**
   * What a probe found.
   *
   * @param outcome how it ended
   * @param chainIdSeen what {@code eth_chainId} answered, or null when it gave no number
   * @param heightSeen what {@code eth_blockNumber} answered, or null when not reached
   * @param syncing whether the node said it is syncing
   */
  record Finding(
      AttemptOutcome outcome,
      @Nullable Long chainIdSeen,
      @Nullable Long heightSeen,
      boolean syncing) {
    static Finding failed(AttemptOutcome outcome, @Nullable Long chainIdSeen) {
      return new Finding(outcome, chainIdSeen, null, false);
    }
  }

  Future<Finding> run() {
    return quantity("eth_chainId")
        .compose(
            reply ->
                switch (reply) {
                  case Reply.Known(long chainId) when chainId == target.chain().value() ->
                      height(chainId);
                  case Reply.Known(long chainId) ->
                      Future.succeededFuture(Finding.failed(wrongChain(chainId), chainId));
                  case Reply.Unknown(AttemptOutcome outcome) ->
                      Future.succeededFuture(Finding.failed(outcome, null));
                });
  }

  private Future<Finding> height(long chainId) {
    return quantity("eth_blockNumber")
        .compose(
            reply ->
                switch (reply) {
                  case Reply.Known(long height) -> syncing(chainId, height);
                  case Reply.Unknown(AttemptOutcome outcome) ->
                      Future.succeededFuture(Finding.failed(outcome, chainId));
                });
  }

  /** A node that does not know the method is taken to be in sync. */
  private Future<Finding> syncing(long chainId, long height) {
    return node.ask("eth_syncing", "[]")
        .map(
            answer ->
                new Finding(
                    new AttemptOutcome.Success(),
                    chainId,
                    height,
                    answer instanceof Answer.Value(var json)
                        && json.toString().strip().startsWith("{")));
  }

  private sealed interface Reply {
    record Known(long value) implements Reply {}

    record Unknown(AttemptOutcome outcome) implements Reply {}
  }

  private Future<Reply> quantity(String method) {
    return node.ask(method, "[]")
        .map(
            answer ->
                switch (answer) {
                  case Answer.Value(var json) -> {
                    Long number = Quantity.parse(json);
                    yield number == null
                        ? new Reply.Unknown(
                            NodeQuery.failed(ErrorClass.MALFORMED, method + " answered no quantity")
                                .failure())
                        : new Reply.Known(number);
                  }
                  case Answer.Failed(AttemptOutcome.Failure failure) -> new Reply.Unknown(failure);
                  case Answer.NotAsked _ -> new Reply.Unknown(new AttemptOutcome.Cancelled());
                });
  }

  private AttemptOutcome wrongChain(long chainId) {
    return NodeQuery.failed(
            ErrorClass.CHAIN_MISMATCH,
            "answers for chain " + chainId + ", not for " + target.chain())
        .failure();
  }
}
