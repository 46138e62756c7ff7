package dev.lasso.simulator.chain;

import java.util.List;

/**
 * What executing a transaction did.
 *
 * @param succeeded false if the transaction reverted; it then has no logs
 * @param gasUsed gas of this transaction
 * @param cumulativeGasUsed gas of the block up to and including this transaction
 * @param firstLogIndex index within the block of this transaction's first log
 * @param logs events in the order emitted
 */
public record SimReceipt(
    boolean succeeded, long gasUsed, long cumulativeGasUsed, int firstLogIndex, List<SimLog> logs) {

  /** Copies the logs. */
  public SimReceipt {
    logs = List.copyOf(logs);
  }

  /** The filter over this transaction's logs. */
  public LogsBloom logsBloom() {
    return LogsBloom.of(logs);
  }
}
