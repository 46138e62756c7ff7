package dev.lasso.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.Hex;
import dev.lasso.simulator.chain.LogsBloom;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which logs are wanted: by address and by topic position. An empty set accepts anything; a topic
 * position that the log does not have is never accepted, even by an empty set.
 *
 * @param addresses accepted emitters
 * @param topics for each position the accepted topics
 * @see <a href="https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub#logs">Pub/sub</a>
 */
public record LogFilter(Set<String> addresses, List<Set<String>> topics) {

  /** Every log. */
  public static final LogFilter ALL = new LogFilter(Set.of(), List.of());

  /** Copies the sets. */
  public LogFilter {
    addresses = Set.copyOf(addresses);
    topics = topics.stream().map(Set::copyOf).toList();
  }

  /** Reads the {@code address} and {@code topics} of a filter object. */
  static LogFilter parse(JsonNode filter) {
    if (!filter.isObject()) {
      throw RpcException.invalidParams("invalid argument: filter must be an object");
    }
    List<Set<String>> topics = new ArrayList<>();
    JsonNode wanted = filter.path("topics");
    if (!wanted.isMissingNode() && !wanted.isNull() && !wanted.isArray()) {
      throw RpcException.invalidParams("invalid argument: topics must be an array");
    }
    if (wanted.size() > 4) {
      throw RpcException.invalidParams("exceed max topics");
    }
    for (JsonNode position : wanted) {
      topics.add(values(position, 32, "topic"));
    }
    return new LogFilter(values(filter.path("address"), 20, "address"), topics);
  }

  private static Set<String> values(JsonNode node, int bytes, String what) {
    Set<String> values = new TreeSet<>();
    if (node.isTextual()) {
      values.add(value(node, bytes, what));
    } else if (node.isArray()) {
      for (JsonNode element : node) {
        if (element.isNull()) {
          return Set.of();
        }
        values.add(value(element, bytes, what));
      }
    } else if (!node.isNull() && !node.isMissingNode()) {
      throw RpcException.invalidParams("invalid argument: invalid " + what);
    }
    return values;
  }

  private static String value(JsonNode node, int bytes, String what) {
    String text = node.asText().toLowerCase(Locale.ROOT);
    if (!node.isTextual() || !Hex.isData(text, bytes)) {
      throw RpcException.invalidParams(
          "invalid argument: " + what + " must be " + bytes + " bytes of hex data");
    }
    return text;
  }

  /** Whether the log is wanted. */
  public boolean matches(SimLog log) {
    if (!addresses.isEmpty() && !addresses.contains(log.address())) {
      return false;
    }
    if (topics.size() > log.topics().size()) {
      return false;
    }
    for (int i = 0; i < topics.size(); i++) {
      if (!topics.get(i).isEmpty() && !topics.get(i).contains(log.topics().get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a block of this Bloom filter may hold a wanted log. */
  public boolean mightMatch(LogsBloom bloom) {
    return (addresses.isEmpty() || addresses.stream().anyMatch(bloom::mightContain))
        && topics.stream()
            .allMatch(
                position -> position.isEmpty() || position.stream().anyMatch(bloom::mightContain));
  }

  /** The wanted logs of a block in order of their index, as the API shows them. */
  public List<ObjectNode> select(SimBlock block, boolean removed) {
    List<ObjectNode> selected = new ArrayList<>();
    for (int t = 0; t < block.receipts().size(); t++) {
      List<SimLog> logs = block.receipts().get(t).logs();
      for (int i = 0; i < logs.size(); i++) {
        if (matches(logs.get(i))) {
          selected.add(EthJson.log(block, t, i, removed));
        }
      }
    }
    return selected;
  }
}
