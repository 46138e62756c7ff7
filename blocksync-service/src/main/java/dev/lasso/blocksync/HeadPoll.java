package dev.lasso.blocksync;

import dev.lasso.engine.query.Answer;
import dev.lasso.engine.query.NodeQuery;
import dev.lasso.engine.query.Quantity;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import io.vertx.core.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One poll of an instance: is it of the right chain, is it syncing, what is final, where is its
 * head? The head comes last, so that it is as new as can be when it is known. Each question waits
 * for the answer to the one before. Belongs to one event loop.
 */
final class HeadPoll {
  private final NodeQuery node;
  private final ChainId chain;
  private final Questions questions;

  /** What to ask beside the height. */
  record Questions(boolean chainId, boolean condition, boolean header) {}

  HeadPoll(NodeQuery node, ChainId chain, Questions questions) {
    this.node = node;
    this.chain = chain;
    this.questions = questions;
  }

  /** How a poll ended. */
  sealed interface Finding {
    /**
     * The head.
     *
     * @param number block number
     * @param header its header, or null when only the number was asked for
     * @param condition what else was asked for, or null
     * @param latencyMs how long the question for the head took
     */
    record Seen(
        long number, @Nullable BlockHeader header, @Nullable Condition condition, double latencyMs)
        implements Finding {}

    /** It answers for another chain. */
    record WrongChain(long chainIdSeen) implements Finding {}

    /** It gave no answer that could be used. */
    record Failed(Failure failure) implements Finding {}

    /** It was not asked: says nothing about the provider. */
    record NotAsked() implements Finding {}
  }

  /**
   * How a node is.
   *
   * @param syncing whether it says it is syncing; a node that does not know the method is not
   * @param safe number of its safe block, or null when it names none
   * @param finalized number of its finalized block, or null when it names none
   */
  record Condition(boolean syncing, @Nullable Long safe, @Nullable Long finalized) {}

  Future<Finding> run() {
    return questions.chainId() ? chainThenHead() : conditionThenHead();
  }

  private Future<Finding> chainThenHead() {
    return node.ask("eth_chainId", "[]")
        .compose(
            answer ->
                understood(
                    answer,
                    Quantity::parse,
                    "eth_chainId answered no quantity",
                    chainId ->
                        chainId == chain.value()
                            ? conditionThenHead()
                            : Future.succeededFuture(new Finding.WrongChain(chainId))));
  }

  private Future<Finding> conditionThenHead() {
    return questions.condition() ? condition().compose(this::head) : head(null);
  }

  /** Nodes without one of these methods or tags are not worse for it. */
  private Future<Condition> condition() {
    return node.ask("eth_syncing", "[]")
        .compose(
            syncing ->
                node.ask("eth_getBlockByNumber", "[\"safe\",false]")
                    .compose(
                        safe ->
                            node.ask("eth_getBlockByNumber", "[\"finalized\",false]")
                                .map(
                                    finalized ->
                                        new Condition(
                                            isSyncing(syncing),
                                            blockNumber(safe),
                                            blockNumber(finalized)))));
  }

  private Future<Finding> head(@Nullable Condition condition) {
    long askedNs = System.nanoTime();
    if (questions.header()) {
      return node.ask("eth_getBlockByNumber", "[\"latest\",false]")
          .compose(
              answer ->
                  understood(
                      answer,
                      BlockHeader::read,
                      "eth_getBlockByNumber answered no block",
                      header -> seen(header.number(), header, condition, askedNs)));
    }
    return node.ask("eth_blockNumber", "[]")
        .compose(
            answer ->
                understood(
                    answer,
                    Quantity::parse,
                    "eth_blockNumber answered no quantity",
                    number -> seen(number, null, condition, askedNs)));
  }

  private static Future<Finding> seen(
      long number, @Nullable BlockHeader header, @Nullable Condition condition, long askedNs) {
    double latencyMs = (double) (System.nanoTime() - askedNs) / 1e6;
    return Future.succeededFuture(new Finding.Seen(number, header, condition, latencyMs));
  }

  private static <T> Future<Finding> understood(
      Answer answer,
      Function<JsonSlice, @Nullable T> reader,
      String otherwise,
      Function<T, Future<Finding>> next) {
    return switch (answer) {
      case Answer.Value(JsonSlice json) -> {
        T value = reader.apply(json);
        yield value == null
            ? Future.succeededFuture(
                new Finding.Failed(NodeQuery.failed(ErrorClass.MALFORMED, otherwise).failure()))
            : next.apply(value);
      }
      case Answer.Failed(Failure failure) -> Future.succeededFuture(new Finding.Failed(failure));
      case Answer.NotAsked _ -> Future.succeededFuture(new Finding.NotAsked());
    };
  }

  private static boolean isSyncing(Answer answer) {
    return answer instanceof Answer.Value(JsonSlice json)
        && json.toString().strip().startsWith("{");
  }

  private static @Nullable Long blockNumber(Answer answer) {
    return answer instanceof Answer.Value(JsonSlice json) ? BlockHeader.number(json) : null;
  }
}
