package dev.lasso.system.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What one subscriber was told of a chain without reorgs, over however many connections: every head
 * and every log must be the next one of the chain. Says where to resume: heads after the last one;
 * logs from the block of the last one, passing over those that are there already. Thread-safe.
 */
final class Told {
  private static final int KEPT = 10;
  private static final long NONE = -1;

  private final Truth truth;
  private long firstHead = NONE;
  private long lastHead = NONE;
  private String lastHash = "";
  private long logBlock = NONE;
  private int logIndex = -1;

  /** The last log when the connection was resumed: until it was passed, logs come again. */
  private long againUntilBlock = NONE;

  private int againUntilIndex = -1;
  private long events;
  private long missing;
  private long repeated;
  private long wrong;
  private final List<String> objections = new ArrayList<>();

  Told(Truth truth) {
    this.truth = truth;
  }

  /** The params of {@code eth_subscribe} for heads from here on. */
  synchronized ArrayNode headsParams() {
    ArrayNode params = Truth.JSON.createArrayNode().add("newHeads");
    if (lastHead != NONE) {
      params.add(resume("blockHash", lastHash));
    }
    return params;
  }

  /** The params of {@code eth_subscribe} for logs from here on; to be sent before any is told. */
  synchronized ArrayNode logsParams() {
    ArrayNode params = Truth.JSON.createArrayNode().add("logs");
    againUntilBlock = logBlock;
    againUntilIndex = logIndex;
    long from = logBlock != NONE ? logBlock : firstHead;
    if (from != NONE) {
      params.add(resume("fromBlock", "0x" + Long.toHexString(from)));
    }
    return params;
  }

  private static ObjectNode resume(String key, String value) {
    ObjectNode options = Truth.JSON.createObjectNode();
    options.putObject("resume").put(key, value);
    return options;
  }

  /** A head has come. */
  synchronized void head(JsonNode head) {
    events++;
    if (!truth.isHeader(head)) {
      wrong("head", head);
      return;
    }
    long number = Long.decode(head.path("number").asText());
    if (firstHead == NONE) {
      firstHead = number;
      lastHead = number - 1;
    }
    if (number <= lastHead) {
      repeated++;
      object("head %d came after %d".formatted(number, lastHead));
      return;
    }
    if (number > lastHead + 1) {
      missing += number - lastHead - 1;
      object("head %d came after %d".formatted(number, lastHead));
    }
    lastHead = number;
    lastHash = head.path("hash").asText();
  }

  /** A log has come. */
  synchronized void log(JsonNode log) {
    events++;
    if (!truth.isLog(log)) {
      wrong("log", log);
      return;
    }
    long block = Long.decode(log.path("blockNumber").asText());
    int index = Integer.decode(log.path("logIndex").asText());
    if (againUntilBlock != NONE) {
      if (block == againUntilBlock && index <= againUntilIndex) {
        return;
      }
      againUntilBlock = NONE;
    }
    if (logBlock == NONE) {
      logBlock = block;
      if (index > 0) {
        missing += index;
        object("the first log was %d of block %d".formatted(index, block));
      }
    } else if (block < logBlock || (block == logBlock && index <= logIndex)) {
      repeated++;
      object("log %d of %d came after %d of %d".formatted(index, block, logIndex, logBlock));
      return;
    } else {
      int skipped = logsBetween(logBlock, logIndex, block, index);
      if (skipped > 0) {
        missing += skipped;
        object("log %d of %d came after %d of %d".formatted(index, block, logIndex, logBlock));
      }
    }
    logBlock = block;
    logIndex = index;
  }

  private int logsBetween(long afterBlock, int afterIndex, long block, int index) {
    if (block == afterBlock) {
      return index - afterIndex - 1;
    }
    int count = truth.logs(afterBlock).size() - afterIndex - 1 + index;
    for (long between = afterBlock + 1; between < block; between++) {
      count += truth.logs(between).size();
    }
    return count;
  }

  private void wrong(String what, JsonNode event) {
    wrong++;
    object(what + " is not the chain's: " + event);
  }

  private void object(String objection) {
    if (objections.size() < KEPT) {
      objections.add(objection);
    }
  }

  /** Whether every head and every log up to a height was told. */
  synchronized boolean upTo(long height) {
    long last = height;
    while (last > firstHead && truth.logs(last).isEmpty()) {
      last--;
    }
    return lastHead >= height
        && (logBlock > last || (logBlock == last && logIndex >= truth.logs(last).size() - 1));
  }

  /** Nothing more will be told: what is not there of all up to a height is missing. */
  synchronized void end(long height) {
    if (lastHead < height) {
      missing += height - Math.max(lastHead, 0);
      object("the last head was %d of %d".formatted(lastHead, height));
    } else if (!upTo(height)) {
      missing++;
      object("the last log was %d of block %d".formatted(logIndex, logBlock));
    }
  }

  /** The last head's number; -1 before the first. */
  synchronized long lastHead() {
    return lastHead;
  }

  /** How many heads and logs came. */
  synchronized long events() {
    return events;
  }

  synchronized long missing() {
    return missing;
  }

  synchronized long repeated() {
    return repeated;
  }

  /** How many events were not the chain's. */
  synchronized long wrong() {
    return wrong;
  }

  /** The first of what was wrong, in words. */
  synchronized List<String> objections() {
    return List.copyOf(objections);
  }

  @Override
  public synchronized String toString() {
    return "head %d, log %d of block %d".formatted(lastHead, logIndex, logBlock);
  }
}
