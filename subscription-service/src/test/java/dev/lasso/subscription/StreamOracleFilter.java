package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.ClientFilter;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client's filter in a whole history: polled at one process or another, each with a tail of its
 * own, and told from the cursor that the last poll left.
 */
final class StreamOracleFilter {
  private final TestChain chain;
  private final @Nullable FilterCriteria criteria;
  private final long firstSequence;
  private final List<String> told = new ArrayList<>();
  private ClientFilter filter;

  /**
   * @param criteria of logs, or null for blocks
   * @param sequence of the last event before it
   */
  StreamOracleFilter(
      ChainId id, TestChain chain, @Nullable FilterCriteria criteria, long sequence) {
    this.chain = chain;
    this.criteria = criteria;
    this.firstSequence = sequence + 1;
    this.filter =
        new ClientFilter(
            "0x1",
            ProfileSlug.of("default"),
            id,
            criteria == null ? ClientFilter.Kind.BLOCKS : ClientFilter.Kind.LOGS,
            criteria == null ? "" : criteria.json(),
            "client",
            sequence,
            null,
            sequence,
            0,
            0,
            "process",
            "",
            false);
  }

  /** Polls at the process with this tail, which may not have come as far as the other one. */
  void poll(ChainTail tail) {
    ChainTail.News news = tail.news(filter, filter.cursor());
    if (news == null) {
      throw new AssertionError("the filter is lost");
    }
    if (news.events().isEmpty()) {
      return;
    }
    List<StreamEvent> complete = new ArrayList<>();
    Set<Long> untold = new HashSet<>();
    for (StreamEvent event : news.events()) {
      if (criteria != null && event instanceof StreamEvent.Added added && added.logs() == null) {
        if (isGoneAlready(added, news)) {
          untold.add(added.sequence());
        } else {
          StreamEvent.Added fetched = added.withLogs(logs(added.hash()));
          tail.complete(fetched);
          complete.add(fetched);
        }
      } else if (!(event instanceof StreamEvent.Removed removed)
          || !untold.contains(removed.addedSequence())) {
        complete.add(event);
      }
    }
    for (Bytes value : tail.told(filter.kind(), criteria, news.since(), complete)) {
      String json = new String(value.toArray(), StandardCharsets.UTF_8);
      told.add(json.startsWith("{") ? named(new JsonObject(json)) : json.replace("\"", ""));
    }
    filter =
        filter.polled(
            news.since(), news.start(), news.events().getLast().sequence(), 0, "process", "poll");
  }

  private static boolean isGoneAlready(StreamEvent.Added added, ChainTail.News news) {
    return news.events().stream()
        .anyMatch(
            event ->
                event instanceof StreamEvent.Removed removed
                    && removed.addedSequence() == added.sequence());
  }

  private List<LogEntry> logs(String hash) {
    return chain.logs(hash).stream().map(LogEntry::read).filter(Objects::nonNull).toList();
  }

  private static String named(JsonObject log) {
    return (log.getBoolean("removed") ? "-" : "+")
        + log.getString("blockHash")
        + "/"
        + log.getString("logIndex");
  }

  /**
   * It has been polled to the end of these events: each block was told once, and the logs that were
   * told and not taken back are those of the blocks that stand.
   */
  void check(List<ChainEvent> topic) {
    List<ChainEvent.BlockAdded> added = new ArrayList<>();
    List<ChainEvent.BlockAdded> standing = new ArrayList<>();
    for (ChainEvent event : topic) {
      if (event instanceof ChainEvent.BlockAdded block && block.sequence() >= firstSequence) {
        added.add(block);
        standing.add(block);
      } else if (event instanceof ChainEvent.BlockRemoved && !standing.isEmpty()) {
        standing.removeLast();
      }
    }
    if (criteria == null) {
      assertThat(told).isEqualTo(added.stream().map(ChainEvent.BlockAdded::hash).toList());
      return;
    }
    assertThat(held())
        .isEqualTo(
            standing.stream()
                .flatMap(block -> matching(block.hash()).stream())
                .map(log -> named(new JsonObject(text(log))).substring(1))
                .toList());
  }

  /** The logs told and not taken back: the newest is always the first to be. */
  private List<String> held() {
    List<String> held = new ArrayList<>();
    for (String log : told) {
      if (log.startsWith("+")) {
        held.add(log.substring(1));
      } else {
        assertThat(held.isEmpty() ? "nothing" : held.removeLast()).isEqualTo(log.substring(1));
      }
    }
    return held;
  }

  private List<Bytes> matching(String hash) {
    FilterCriteria wanted = criteria;
    return chain.logs(hash).stream()
        .filter(
            json -> {
              LogEntry log = LogEntry.read(json);
              return wanted != null && log != null && wanted.filter().matches(log);
            })
        .toList();
  }

  private static String text(Bytes json) {
    return new String(json.toArray(), StandardCharsets.UTF_8);
  }
}
