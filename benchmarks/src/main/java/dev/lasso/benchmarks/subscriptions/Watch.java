package dev.lasso.benchmarks.subscriptions;

import dev.lasso.simulator.chain.SimLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A log filter of a client. Two of a client's filters match logs of the simulated chain, the others
 * name an address or a topic that is the client's own and never occurs, as a wallet's mostly does.
 *
 * @param address who must have emitted the log, or null for anybody
 * @param topics for each position the topics allowed; empty for any
 */
record Watch(@Nullable String address, List<List<String>> topics) {
  static final String TRANSFER =
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

  /** Every log. */
  static final Watch ALL = new Watch(null, List.of());

  Watch {
    topics = topics.stream().map(List::copyOf).toList();
  }

  /**
   * The filters of a client, none equal to one of another client.
   *
   * @param tokens the contracts of the chain
   * @param accounts its accounts
   */
  static List<Watch> of(int client, int count, List<String> tokens, List<String> accounts) {
    List<Watch> watches = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String own = String.format(Locale.ROOT, "%08x%08x", client + 1, i + 1);
      String ownTopic = "0x" + "0".repeat(48) + own;
      String account = topic(accounts.get((client + i) % accounts.size()));
      watches.add(
          switch (i) {
            case 0 -> new Watch(null, List.of(List.of(), List.of(account, ownTopic)));
            case 1 ->
                new Watch(
                    tokens.get(client % tokens.size()),
                    List.of(List.of(TRANSFER), List.of(), List.of(account, ownTopic)));
            default ->
                switch (i % 3) {
                  case 0 -> new Watch("0x" + "0".repeat(24) + own, List.of());
                  case 1 -> new Watch(null, List.of(List.of(TRANSFER), List.of(ownTopic)));
                  default ->
                      new Watch(null, List.of(List.of(TRANSFER), List.of(), List.of(ownTopic)));
                };
          });
    }
    return watches;
  }

  private static String topic(String account) {
    return "0x" + "0".repeat(24) + account.substring(2);
  }

  boolean matches(SimLog log) {
    if (address != null && !address.equals(log.address())) {
      return false;
    }
    if (log.topics().size() < topics.size()) {
      return false;
    }
    for (int i = 0; i < topics.size(); i++) {
      if (!topics.get(i).isEmpty() && !topics.get(i).contains(log.topics().get(i))) {
        return false;
      }
    }
    return true;
  }

  /** As {@code eth_subscribe} takes it, without braces. */
  String json() {
    String positions =
        topics.stream()
            .map(
                allowed ->
                    allowed.isEmpty()
                        ? "null"
                        : allowed.stream().collect(Collectors.joining("\",\"", "[\"", "\"]")))
            .collect(Collectors.joining(","));
    return (address == null ? "" : "\"address\":\"" + address + "\",")
        + "\"topics\":["
        + positions
        + "]";
  }
}
