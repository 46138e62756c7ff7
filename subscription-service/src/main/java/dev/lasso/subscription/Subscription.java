package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import io.netty.buffer.ByteBuf;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a client to a chain's stream. It is held until its id has been sent, then
 * told what it is to begin with, then live. Belongs to the socket's event loop.
 */
final class Subscription {
  private static final String EVENT_HEAD =
      "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\"";
  private static final String GAP_HEAD =
      "{\"jsonrpc\":\"2.0\",\"method\":\"lasso_gap\",\"params\":{\"subscription\":\"";
  private static final ByteBuffer TAIL = text("}}");

  private final String id;
  private final ByteBuffer eventHead;
  private final ChainId chain;
  private final Kind kind;
  private final Receiver receiver;
  private final Deque<StreamEvent> held = new ArrayDeque<>();
  private @Nullable StartingPoint beginning;
  private boolean holding = true;
  private long firstPosition;

  /** What is subscribed to. */
  sealed interface Kind {
    /** Headers. */
    record Heads(boolean gaps) implements Kind {}

    /** Logs. */
    record Logs(LogFilter filter, boolean gaps) implements Kind {}
  }

  /** Where events go. */
  interface Receiver {
    void send(ByteBuf message);

    /** The stream can't go on as the client's profile demands. */
    void abort(String reason);

    /** Whether a hole in the stream ends the subscription. */
    boolean strict();
  }

  /**
   * @param firstPosition position of the first event that concerns it: what was added before is not
   *     taken back from it
   * @param beginning the head when the subscription was asked for, or null when the stream is past
   *     it
   */
  Subscription(
      String id,
      ChainId chain,
      Kind kind,
      Receiver receiver,
      long firstPosition,
      @Nullable StartingPoint beginning) {
    this.id = id;
    this.eventHead = eventHead(id);
    this.chain = chain;
    this.kind = kind;
    this.receiver = receiver;
    this.firstPosition = firstPosition;
    this.beginning = beginning;
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
  }

  /** What a notification begins with; its value and {@link #eventTail} follow. */
  static ByteBuffer eventHead(String id) {
    return text(EVENT_HEAD + id + "\",\"result\":");
  }

  static ByteBuffer eventTail() {
    return TAIL.duplicate();
  }

  String id() {
    return id;
  }

  ChainId chain() {
    return chain;
  }

  Kind kind() {
    return kind;
  }

  boolean wantsLogs() {
    return kind instanceof Kind.Logs;
  }

  /** Whether events may be handed over as they come, without looking at what was before. */
  boolean live() {
    return !holding && beginning == null;
  }

  /**
   * Its id has been sent: what it is to begin with, and what was held, follows.
   *
   * @param known adds to an event what has become known since it was held
   */
  void release(List<StreamEvent> first, UnaryOperator<StreamEvent> known) {
    holding = false;
    first.forEach(event -> tell(known.apply(event)));
    for (StreamEvent event = held.poll(); event != null; event = held.poll()) {
      on(known.apply(event));
    }
  }

  /** Takes the next event of the stream. */
  void on(StreamEvent event) {
    if (holding) {
      held.addLast(event);
    } else if (begins(event)) {
      tell(event);
    }
  }

  /** Passes over what was before the beginning; true once it is past. */
  private boolean begins(StreamEvent event) {
    StartingPoint at = beginning;
    if (at == null) {
      return true;
    }
    if (!(event instanceof StreamEvent.Added added)) {
      return false;
    }
    boolean after = at.isBefore(added);
    if (after || at.isItself(added)) {
      beginning = null;
      firstPosition = after ? event.position() : event.position() + 1;
    }
    return after;
  }

  private void tell(StreamEvent event) {
    switch (event) {
      case StreamEvent.Added added -> added(added);
      case StreamEvent.Removed removed -> {
        if (kind instanceof Kind.Logs(LogFilter filter, boolean _)) {
          List<LogEntry> logs = removed.logs();
          if (logs != null) {
            logs.stream().filter(filter::matches).forEach(log -> log(log, removed.addedAt()));
          }
        }
      }
      case StreamEvent.Hole hole -> hole(hole.from(), hole.to(), hole.reason());
      case StreamEvent.StateChanged _ -> {}
    }
  }

  private void added(StreamEvent.Added added) {
    switch (kind) {
      case Kind.Heads _ -> send(added.header());
      case Kind.Logs(LogFilter filter, boolean _) -> {
        List<LogEntry> logs = added.logs();
        if (logs == null) {
          hole(added.number(), added.number(), "logs could not be fetched");
        } else {
          logs.stream().filter(filter::matches).forEach(log -> send(log.json()));
        }
      }
    }
  }

  /** Sends one event's value. */
  void send(Bytes json) {
    receiver.send(Outbound.joined(eventHead.duplicate(), json.asBuffer(), eventTail()));
  }

  /** Takes a log that matches; one taken back only if it had been told. */
  void log(LogEntry log, long addedAt) {
    if (addedAt >= firstPosition) {
      send(log.json());
    }
  }

  /** Says that some blocks, or their logs, will not come, or ends where that must not be. */
  void hole(long from, long to, String reason) {
    if (receiver.strict()) {
      String missing = "blocks " + from + " to " + to + " are missing";
      receiver.send(
          Outbound.joined(
              text(EVENT_HEAD + id + "\",\"error\":"),
              text(new JsonObject().put("code", -32000).put("message", missing).encode()),
              eventTail()));
      receiver.abort(missing);
      return;
    }
    boolean gaps =
        switch (kind) {
          case Kind.Heads(boolean wanted) -> wanted;
          case Kind.Logs(LogFilter _, boolean wanted) -> wanted;
        };
    if (gaps) {
      JsonObject gap =
          new JsonObject()
              .put("from", "0x" + Long.toHexString(from))
              .put("to", "0x" + Long.toHexString(to))
              .put("reason", reason);
      receiver.send(
          Outbound.joined(text(GAP_HEAD + id + "\",\"result\":"), text(gap.encode()), eventTail()));
    }
  }
}
