package dev.lasso.routing.facts;

import java.util.Optional;

/**
 * What kind of work a method is: the unit of capabilities ("serves no traces"), of metrics tags and
 * of default deadlines (routing page, "Errors"). A closed set.
 */
public enum MethodCategory {
  /** The height of the chain. */
  HEAD("head", 1_000),
  /** A small read of state or settings. */
  LIGHT("light", 2_000),
  /** Executes code. */
  CALL("call", 5_000),
  /** Searches logs. */
  LOGS("logs", 5_000),
  /** Receipts of a transaction or a block. */
  RECEIPTS("receipts", 10_000),
  /** Blocks, headers, uncles. */
  BLOCK("block", 10_000),
  /** Transactions by hash or position. */
  TRANSACTION("transaction", 10_000),
  /** The {@code debug_} namespace: re-execution, raw data. */
  DEBUG("debug", 30_000),
  /** The {@code trace_} namespaces. */
  TRACE("trace", 30_000),
  /** The node's own transaction pool: differs from node to node. */
  TXPOOL("txpool", 10_000),
  /** Hands something in to be included in the chain. */
  SEND("send", 10_000),
  /** Server-side filters: live on the node that made them. */
  FILTER("filter", 10_000),
  /** Push subscriptions: need a WebSocket. */
  SUBSCRIPTION("subscription", 10_000),
  /** Answered from the profile, without asking anybody. */
  LOCAL("local", 1_000),
  /** About the node itself. */
  NET("net", 2_000),
  /** Everything else, unknown methods included. */
  OTHER("other", 10_000);

  private final String word;
  private final long deadlineMs;

  MethodCategory(String word, long deadlineMs) {
    this.word = word;
    this.deadlineMs = deadlineMs;
  }

  /** The word used in profiles, topics, metric tags and answers. */
  public String word() {
    return word;
  }

  /**
   * How long a request of this category may take in all, unless its method's row says otherwise.
   */
  public long deadlineMs() {
    return deadlineMs;
  }

  /** The category that a word names, as it stands in profiles. */
  public static Optional<MethodCategory> ofWord(String word) {
    for (MethodCategory category : values()) {
      if (category.word.equals(word)) {
        return Optional.of(category);
      }
    }
    return Optional.empty();
  }
}
