package dev.lasso.subscription;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The object of {@code eth_newFilter}: which logs, of which blocks. As in go-ethereum a filter
 * tells only what is mined after it was made; {@code fromBlock} and {@code toBlock} narrow that
 * down.
 *
 * @param filter which logs
 * @param fromBlock lowest block
 * @param toBlock highest block
 * @param json the object without what means nothing here
 */
record FilterCriteria(LogFilter filter, long fromBlock, long toBlock, String json) {
  private static final List<String> MEMBERS =
      List.of("address", "topics", "fromBlock", "toBlock", "blockHash");

  private static final List<String> TAGS = List.of("latest", "safe", "finalized", "earliest");

  /**
   * Reads the object.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static FilterCriteria read(JsonObject object) {
    LogFilter filter = LogFilter.read(object);
    if (object.getValue("blockHash") != null) {
      throw new IllegalArgumentException(
          "blockHash names one block that is mined already; ask eth_getLogs");
    }
    long from = block("fromBlock", object.getValue("fromBlock"), 0);
    long to = block("toBlock", object.getValue("toBlock"), Long.MAX_VALUE);
    if (from > to) {
      throw new IllegalArgumentException("invalid block range params: fromBlock is after toBlock");
    }
    JsonObject kept = new JsonObject();
    MEMBERS.forEach(
        member -> {
          if (object.getValue(member) != null) {
            kept.put(member, object.getValue(member));
          }
        });
    return new FilterCriteria(filter, from, to, kept.encode());
  }

  /** A block number; a tag sets no bound, since only blocks to come are told. */
  private static long block(String what, @Nullable Object value, long unbounded) {
    if (value == null || (value instanceof String tag && TAGS.contains(tag))) {
      return unbounded;
    }
    if (value.equals("pending")) {
      throw new IllegalArgumentException("logs of the pending block are not supported");
    }
    Long number = BlockJson.quantity(value);
    if (number == null) {
      throw new IllegalArgumentException(what + " must be a block number or tag");
    }
    return number;
  }

  boolean matches(LogEntry log, long blockNumber) {
    return blockNumber >= fromBlock && blockNumber <= toBlock && filter.matches(log);
  }
}
