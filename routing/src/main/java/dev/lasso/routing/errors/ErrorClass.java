package dev.lasso.routing.errors;

/**
 * What kind of error an attempt met, and what follows from it (routing page, "Errors"). A closed
 * set: what matches nothing is {@link #UNKNOWN}.
 */
public enum ErrorClass {
  RATE_LIMIT("rate_limit", Failover.NEXT, Penalty.NONE, Cooldown.RATE_LIMIT),
  QUOTA_EXCEEDED("quota_exceeded", Failover.NEXT, Penalty.NONE, Cooldown.QUOTA),
  NETWORK_ERROR("network_error", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  TIMEOUT("timeout", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  SERVER_ERROR("server_error", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  UNAUTHORIZED("unauthorized", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  MALFORMED("malformed", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  CHAIN_MISMATCH("chain_mismatch", Failover.NEXT, Penalty.COUNTS, Cooldown.NONE),
  METHOD_NOT_FOUND("method_not_found", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  METHOD_UNSUPPORTED("method_unsupported", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  CAPABILITY_VIOLATION("capability_violation", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  RANGE_TOO_LARGE("range_too_large", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  RESPONSE_TOO_LARGE("response_too_large", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  BLOCK_NOT_FOUND("block_not_found", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  MISSING_DATA("missing_data", Failover.NEXT, Penalty.NONE, Cooldown.NONE),
  EXECUTION_REVERTED("execution_reverted", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  INVALID_PARAMS("invalid_params", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  TX_REJECTED("tx_rejected", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  PARSE_ERROR("parse_error", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
  CLIENT_ERROR("client_error", Failover.FINAL, Penalty.NONE, Cooldown.NONE),
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
  private final Failover failover;
  private final Penalty penalty;
  private final Cooldown cooldown;

  ErrorClass(String word, Failover failover, Penalty penalty, Cooldown cooldown) {
    this.word = word;
    this.failover = failover;
    this.penalty = penalty;
    this.cooldown = cooldown;
  }

  /** The word used in topics, metric tags, logs and answers. */
  public String word() {
    return word;
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
