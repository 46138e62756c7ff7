package dev.lasso.simulator.chain;

import java.util.List;

/**
 * One event emitted by a transaction. All values are lower-case hex data.
 *
 * @param address the emitting contract, 20 bytes
 * @param topics up to four topics of 32 bytes; the first is the event's signature hash
 * @param data the parameters that are not indexed
 */
public record SimLog(String address, List<String> topics, String data) {

  /** Checks sizes and copies the topics. */
  public SimLog {
    topics = List.copyOf(topics);
    if (!Hex.isData(address, 20)) {
      throw new IllegalArgumentException("log address has 20 bytes: " + address);
    }
    if (topics.size() > 4 || !topics.stream().allMatch(topic -> Hex.isData(topic, 32))) {
      throw new IllegalArgumentException("a log has at most four topics of 32 bytes: " + topics);
    }
  }
}
