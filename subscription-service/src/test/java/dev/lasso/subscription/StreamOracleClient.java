package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.event.ChainEvent;
import io.netty.buffer.ByteBuf;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A client in a whole history, with one subscription to heads and one to logs of an address: it
 * leaves, resumes, and knows at the end what it must have been told.
 */
final class StreamOracleClient implements Subscription.Receiver {
  private final TestChain chain;
  private final LoopStream stream;
  private final List<ChainEvent> topic;
  private final LogFilter filter;
  private final List<String> toldHeads = new ArrayList<>();
  private final List<LogsTold> epochs = new ArrayList<>();
  private List<String> toldLogs = new ArrayList<>();
  private Subscription heads;
  private Subscription logs;
  private final long firstPosition;
  private boolean resumedAtUnknown;
  private boolean gone;
  private long logsAfter;

  /**
   * Subscribes.
   *
   * @param topic all that is written, which grows
   * @param address whose logs it wants
   */
  StreamOracleClient(TestChain chain, LoopStream stream, List<ChainEvent> topic, String address) {
    this.chain = chain;
    this.stream = stream;
    this.topic = topic;
    filter = new LogFilter(Set.of(address), List.of());
    firstPosition = stream.recent().position() + 1;
    logsAfter = firstPosition - 1;
    heads = subscription(new Subscription.Kind.Heads(false), firstPosition);
    logs = subscription(new Subscription.Kind.Logs(filter, false), firstPosition);
  }

  private Subscription subscription(Subscription.Kind kind, long from) {
    Subscription made =
        new Subscription("0x1", StreamOraclePropertyTest.CHAIN, kind, this, from, null);
    stream.add(made);
    stream.release(made, List.of());
    return made;
  }

  boolean gone() {
    return gone;
  }

  void leave() {
    if (!toldHeads.isEmpty()) {
      stream.remove(heads);
      stream.remove(logs);
      gone = true;
    }
  }

  /** Goes on after the last block told: what came of it already, it takes no notice of. */
  void resume() {
    String last = toldHeads.getLast();
    List<StreamEvent> missed = stream.recent().after(last);
    if (missed == null) {
      resumedAtUnknown = true;
      return;
    }
    heads = resumed(heads.kind(), missed);
    endLogs();
    logsAfter = lastAdded(last);
    gone = false;
    logs = resumed(logs.kind(), missed.stream().map(this::complete).toList());
  }

  private Subscription resumed(Subscription.Kind kind, List<StreamEvent> missed) {
    Subscription made =
        new Subscription("0x2", StreamOraclePropertyTest.CHAIN, kind, this, 0, null);
    stream.add(made);
    stream.release(made, missed);
    return made;
  }

  /** As the process does it for those who resume: logs that nobody had wanted are fetched. */
  private StreamEvent complete(StreamEvent event) {
    if (event instanceof StreamEvent.Added added && added.logs() == null) {
      StreamEvent.Added fetched =
          added.withLogs(
              chain.logs(added.hash()).stream()
                  .map(LogEntry::read)
                  .filter(Objects::nonNull)
                  .toList());
      stream.complete(fetched);
      return fetched;
    }
    return event;
  }

  private long lastAdded(String hash) {
    for (int i = (int) stream.recent().position() - 1; i >= 0; i--) {
      if (topic.get(i) instanceof ChainEvent.BlockAdded added && added.hash().equals(hash)) {
        return i + 1L;
      }
    }
    throw new AssertionError("never added: " + hash);
  }

  private void endLogs() {
    epochs.add(new LogsTold(logsAfter, toldLogs, false));
    toldLogs = new ArrayList<>();
  }

  void check() {
    assertThat(resumedAtUnknown).isFalse();
    List<String> heads = new ArrayList<>();
    for (int i = (int) firstPosition - 1; i < topic.size(); i++) {
      if (topic.get(i) instanceof ChainEvent.BlockAdded added) {
        heads.add(added.hash());
      }
    }
    // one who left has been told the beginning of it
    assertThat(toldHeads).isEqualTo(gone ? heads.subList(0, toldHeads.size()) : heads);
    epochs.add(new LogsTold(logsAfter, toldLogs, !gone));
    for (LogsTold epoch : epochs) {
      List<String> expected = logsExpected(epoch);
      List<String> told = epoch.told().stream().filter(log -> !isFromBefore(log)).toList();
      assertThat(told)
          .isEqualTo(
              epoch.toTheEnd()
                  ? expected
                  : expected.subList(0, Math.min(expected.size(), told.size())));
    }
  }

  /** Whether a log is taken back that was never told: who resumes may hear of such. */
  private boolean isFromBefore(String log) {
    return log.startsWith("-")
        && topic.subList(0, (int) firstPosition - 1).stream()
            .anyMatch(
                event ->
                    event instanceof ChainEvent.BlockAdded added
                        && log.startsWith("-" + added.hash()));
  }

  private List<String> logsExpected(LogsTold epoch) {
    List<String> logs = new ArrayList<>();
    Map<String, Long> addedAt = new HashMap<>();
    for (int i = 0; i < topic.size(); i++) {
      long position = i + 1L;
      switch (topic.get(i)) {
        case ChainEvent.BlockAdded added -> {
          addedAt.put(added.hash(), position);
          if (position > epoch.after()) {
            chain.logs(added.hash()).forEach(log -> note(log, false, logs));
          }
        }
        case ChainEvent.BlockRemoved removed
            when position > epoch.after()
                && addedAt.getOrDefault(removed.hash(), 0L) >= firstPosition ->
            chain.logs(removed.hash()).reversed().forEach(log -> note(log, true, logs));
        case ChainEvent.BlockRemoved _, ChainEvent.Gap _, ChainEvent.StreamStateChanged _ -> {}
      }
    }
    return logs;
  }

  private void note(Bytes json, boolean removed, List<String> into) {
    LogEntry log = LogEntry.read(json);
    if (log != null && filter.matches(log)) {
      into.add(named(new JsonObject(text(json)), removed));
    }
  }

  private static String named(JsonObject log, boolean removed) {
    return (removed ? "-" : "+") + log.getString("blockHash") + "/" + log.getString("logIndex");
  }

  private static String text(Bytes json) {
    return new String(json.toArray(), StandardCharsets.UTF_8);
  }

  @Override
  public void send(ByteBuf message) {
    JsonObject event =
        new JsonObject(message.toString(StandardCharsets.UTF_8))
            .getJsonObject("params")
            .getJsonObject("result");
    if (event.containsKey("logIndex")) {
      toldLogs.add(named(event, event.getBoolean("removed")));
    } else {
      toldHeads.add(event.getString("hash"));
    }
  }

  @Override
  public void abort(String reason) {
    throw new AssertionError(reason);
  }

  @Override
  public boolean strict() {
    return false;
  }

  /**
   * The logs of one subscription.
   *
   * @param after position of the event after which it begins
   * @param toTheEnd whether it still runs
   */
  private record LogsTold(long after, List<String> told, boolean toTheEnd) {}
}
