package dev.lasso.subscription;

import dev.lasso.runtime.MeterSpec;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The meters of WebSocket clients. Any thread. */
public final class ClientMeters {
  private static final MeterSpec CONNECTIONS =
      MeterSpec.gauge("lasso.ws.connections", "", "WebSockets of clients that are open");

  private static final MeterSpec SUBSCRIPTIONS =
      MeterSpec.gauge(
          "lasso.ws.subscriptions",
          "",
          "subscriptions of clients, by kind: newHeads, logs, newPendingTransactions or syncing",
          "kind");

  private static final MeterSpec QUEUED =
      MeterSpec.gauge(
          "lasso.ws.queued.bytes",
          "bytes",
          "what waits for clients that read slowly, without what the connections hold already");

  private static final MeterSpec CLOSED =
      MeterSpec.counter(
          "lasso.ws.closed",
          "WebSockets that Lasso closed: slow_reader, no_pong, message_too_long, stream_hole,"
              + " not_served or stopping",
          "reason");

  private static final MeterSpec NOTIFICATIONS =
      MeterSpec.counter(
          "lasso.ws.notifications", "notifications handed to clients, by kind", "kind");

  private static final MeterSpec DELAY =
      MeterSpec.timer(
          "lasso.ws.delay",
          "time from the owner's writing of a new block until an event loop has handed it, with its"
              + " logs, to all of its clients; between machines their clocks count",
          List.of(
              Duration.ofMillis(5),
              Duration.ofMillis(10),
              Duration.ofMillis(25),
              Duration.ofMillis(50),
              Duration.ofMillis(100),
              Duration.ofMillis(250),
              Duration.ofMillis(500),
              Duration.ofSeconds(1),
              Duration.ofSeconds(5)));

  /** All of them. */
  public static final List<MeterSpec> ALL =
      List.of(CONNECTIONS, SUBSCRIPTIONS, QUEUED, CLOSED, NOTIFICATIONS, DELAY);

  private final InstantSource clock;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final Map<Kind, AtomicInteger> subscriptions;
  private final Map<Kind, Counter> notifications;
  private final Map<Closing, Counter> closed;
  private final Timer delay;

  /** What a client subscribes to. */
  enum Kind {
    NEW_HEADS("newHeads"),
    LOGS("logs"),
    NEW_PENDING_TRANSACTIONS("newPendingTransactions"),
    SYNCING("syncing");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    static Kind of(SubscribeRequest request) {
      return switch (request) {
        case SubscribeRequest.NewHeads _ -> NEW_HEADS;
        case SubscribeRequest.Logs _ -> LOGS;
        case SubscribeRequest.NewPendingTransactions _ -> NEW_PENDING_TRANSACTIONS;
        case SubscribeRequest.Syncing _ -> SYNCING;
      };
    }
  }

  ClientMeters(MeterRegistry registry, InstantSource clock) {
    this.clock = clock;
    this.subscriptions = each(Kind.class, _ -> new AtomicInteger());
    this.notifications = each(Kind.class, kind -> NOTIFICATIONS.counter(registry, kind.word));
    this.closed = each(Closing.class, why -> CLOSED.counter(registry, why.word()));
    this.delay = DELAY.timer(registry);
    CONNECTIONS.gauge(registry, connections, AtomicInteger::get);
    QUEUED.gauge(registry, queuedBytes, AtomicLong::get);
    subscriptions.forEach(
        (kind, count) -> SUBSCRIPTIONS.gauge(registry, count, AtomicInteger::get, kind.word));
  }

  private static <E extends Enum<E>, V> Map<E, V> each(Class<E> type, Function<E, V> value) {
    Map<E, V> values = new EnumMap<>(type);
    for (E one : type.getEnumConstants()) {
      values.put(one, value.apply(one));
    }
    return values;
  }

  /** WebSockets that are open. */
  int connections() {
    return connections.get();
  }

  /** One more, or one less. */
  void connections(int change) {
    connections.addAndGet(change);
  }

  /** More subscriptions of a kind, or less. */
  void subscriptions(Kind kind, int change) {
    count(subscriptions, kind).addAndGet(change);
  }

  /** More waits for a client, or less. */
  void queued(long bytes) {
    queuedBytes.addAndGet(bytes);
  }

  /** A WebSocket is closed from here. */
  void closed(Closing why) {
    count(closed, why).increment();
  }

  /** Counts the notifications of a kind. */
  Counter notifications(Kind kind) {
    return count(notifications, kind);
  }

  /** A block written at a time, in ms since the epoch, has been handed to clients. */
  void delivered(long writtenMs) {
    delay.record(Math.max(0, clock.millis() - writtenMs), TimeUnit.MILLISECONDS);
  }

  private static <E extends Enum<E>, V> V count(Map<E, V> counts, E one) {
    V count = counts.get(one);
    if (count == null) {
      throw new IllegalStateException("nothing counts " + one);
    }
    return count;
  }
}
