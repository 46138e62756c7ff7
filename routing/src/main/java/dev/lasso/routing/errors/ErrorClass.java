package dev.lasso.routing.errors;

import java.util.Optional;

/**
 * What kind of error an attempt met, and what follows from it (routing page, "Errors"). A closed
 * set: what matches nothing is {@link #UNKNOWN}.
 *
 * <p>Where errors of one {@linkplain #category() category} lead to different consequences, the
 * category has more than one class: a node that is syncing and a node that merely lacks one block
 * both report a block that is not found, but only the first is unwell.
 */
public enum ErrorClass {
  RATE_LIMIT("rate_limit", Failover.NEXT, Penalty.NONE, Cooldown.RATE_LIMIT),
  QUOTA_EXCEEDED("quota_exceeded", Failover.NEXT, Penalty.NONE, Cooldown.QUOTA),
  NETWORK_ERROR("network_error", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  /** The peer closed the connection in good order, as before a restart: no sign of ill health. */
  GOING_AWAY("going_away", "network_error", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  TIMEOUT("timeout", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  /** The node gave up on this one execution or query: the request is heavy, the node is well. */
  EXECUTION_TIMEOUT("execution_timeout", "timeout", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  SERVER_ERROR("server_error", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  UNAUTHORIZED("unauthorized", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  /** The answer is no JSON-RPC: cut off, empty, HTML, or for another request. */
  MALFORMED("malformed", "parse_error", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  CHAIN_MISMATCH("chain_mismatch", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  METHOD_NOT_FOUND("method_not_found", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  METHOD_UNSUPPORTED("method_unsupported", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  CAPABILITY_VIOLATION("capability_violation", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  RANGE_TOO_LARGE("range_too_large", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  RESPONSE_TOO_LARGE("response_too_large", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  BLOCK_NOT_FOUND("block_not_found", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  /** The node itself says that it is syncing. */
  NODE_SYNCING("node_syncing", "block_not_found", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  MISSING_DATA("missing_data", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  EXECUTION_REVERTED("execution_reverted", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  INVALID_PARAMS("invalid_params", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  TX_REJECTED("tx_rejected", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  /** This node's own policy refused a transaction (full pool, local minimum or cap). */
  TX_NOT_ACCEPTED("tx_not_accepted", "tx_rejected", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  PARSE_ERROR("parse_error", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  CLIENT_ERROR("client_error", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  /** The request is larger than this provider takes; another may take it. */
  REQUEST_TOO_LARGE(
      "request_too_large", "client_error", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  /** Matched no rule: believed once one other provider gives the same code. */
  UNKNOWN("unknown", Failover.CONFIRM, Penalty.NONE, Cooldown.NONE);

  /** Whether another channel may be asked. */
  public enum Failover {
    /** The next channel is asked. */
    NEXT,
    /** One other channel is asked; the same code from it makes the error final. */
    CONFIRM,
    /** The error is the answer. */
    FINAL
  }

  /** Whether the circuit counts it as a failure. */
  public enum Penalty {
    NONE,
    COUNTS
  }

  /** Which rate-limit deadline it sets. */
  public enum Cooldown {
    NONE,
    RATE_LIMIT,
    QUOTA
  }

  private final String word;
  private final String category;
  private final Failover failover;
  private final Penalty penalty;
  private final Cooldown cooldown;

  ErrorClass(String word, Failover failover, Penalty penalty, Cooldown cooldown) {
    this(word, word, failover, penalty, cooldown);
  }

  ErrorClass(String word, String category, Failover failover, Penalty penalty, Cooldown cooldown) {
    this.word = word;
    this.category = category;
    this.failover = failover;
    this.penalty = penalty;
    this.cooldown = cooldown;
  }

  /** The word used in topics, metric tags, logs and answers. */
  public String word() {
    return word;
  }

  /** The class that a word names. */
  public static Optional<ErrorClass> ofWord(String word) {
    for (ErrorClass errorClass : values()) {
      if (errorClass.word.equals(word)) {
        return Optional.of(errorClass);
      }
    }
    return Optional.empty();
  }

  /** The broader word under which the class is counted; mostly the same as {@link #word()}. */
  public String category() {
    return category;
  }

  public Failover failover() {
    return failover;
  }

  public boolean penalised() {
    return penalty == Penalty.COUNTS;
  }

  public Cooldown cooldown() {
    return cooldown;
  }
}
