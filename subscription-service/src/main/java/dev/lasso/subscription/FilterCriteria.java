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
 * @param json the same as a filter object, as {@code eth_getLogs} takes it, in one form whatever
 *     the client wrote: nothing that was not checked is kept
 */
record FilterCriteria(LogFilter filter, long fromBlock, long toBlock, String json) {
  /** The longest {@code json} there is: a {@link LogFilter}, its brackets and names, and blocks. */
  static final int MAX_BYTES = LogFilter.MAX_BYTES + 512;

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
    JsonObject json = new JsonObject();
    filter.write(json);
    putBlock(json, "fromBlock", object.getValue("fromBlock"));
    putBlock(json, "toBlock", object.getValue("toBlock"));
    return new FilterCriteria(filter, from, to, json.encode());
  }

  /** A tag as it is: it is for providers to say what block that is. */
  private static void putBlock(JsonObject json, String what, @Nullable Object value) {
    Long number = BlockJson.quantity(value);
    if (number != null) {
      json.put(what, "0x" + Long.toHexString(number));
    } else if (value != null) {
      json.put(what, value);
    }
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
