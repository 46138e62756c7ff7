package dev.lasso.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.ChainUpdate;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimTransaction;
import dev.lasso.simulator.fault.Fault;
import dev.lasso.simulator.fault.FaultBoard;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's subscriptions. A reorganisation is announced as geth does: logs of removed blocks again
 * with {@code removed: true}, newest block first, then every new header, each with its logs.
 * Guarded by the chain's lock.
 */
final class Subscriptions {

  private final FaultBoard faults;
  private final NodeSpec.SubscriptionIds ids;
  private final SplittableRandom random;
  private final Map<String, Subscription> active = new LinkedHashMap<>();
  private long counter;
  private long delivered;

  Subscriptions(FaultBoard faults, NodeSpec.SubscriptionIds ids, long seed) {
    this.faults = faults;
    this.ids = ids;
    this.random = new SplittableRandom(seed);
  }

  private sealed interface Topic {
    record NewHeads() implements Topic {}

    record Logs(LogFilter filter) implements Topic {}

    record PendingTransactions(boolean full) implements Topic {}

    record SyncStatus() implements Topic {}
  }

  private static final class Subscription {
    final String id;
    final Topic topic;
    final Subscriber subscriber;
    @Nullable JsonNode held;

    Subscription(String id, Topic topic, Subscriber subscriber) {
      this.id = id;
      this.topic = topic;
      this.subscriber = subscriber;
    }
  }

  String subscribe(JsonNode params, Subscriber subscriber) {
    Topic topic =
        switch (params.path(0).asText()) {
          case "newHeads" -> new Topic.NewHeads();
          case "logs" ->
              new Topic.Logs(params.has(1) ? LogFilter.parse(params.get(1)) : LogFilter.ALL);
          case "newPendingTransactions" ->
              new Topic.PendingTransactions(params.path(1).asBoolean(false));
          case "syncing" -> new Topic.SyncStatus();
          default ->
              throw new RpcException(
                  -32601, "no \"" + params.path(0).asText() + "\" subscription in eth namespace");
        };
    String id = newId();
    active.put(id, new Subscription(id, topic, subscriber));
    return id;
  }

  boolean unsubscribe(String id, Subscriber subscriber) {
    Subscription subscription = active.get(id);
    if (subscription == null || !subscription.subscriber.equals(subscriber)) {
      return false;
    }
    active.remove(id);
    return true;
  }

  void unsubscribeAll(Subscriber subscriber) {
    active.values().removeIf(subscription -> subscription.subscriber.equals(subscriber));
  }

  int count() {
    return active.size();
  }

  long delivered() {
    return delivered;
  }

  void moved(ChainUpdate update) {
    if (update.added().isEmpty() || silent()) {
      return;
    }
    for (Subscription subscription : List.copyOf(active.values())) {
      if (subscription.topic instanceof Topic.Logs(LogFilter filter)) {
        for (SimBlock removed : update.removed()) {
          announceLogs(subscription, filter, removed, true);
        }
      }
    }
    for (SimBlock added : update.added()) {
      Map<String, JsonNode> headers = new LinkedHashMap<>(1);
      for (Subscription subscription : List.copyOf(active.values())) {
        switch (subscription.topic) {
          case Topic.NewHeads _ ->
              announceHead(
                  subscription, headers.computeIfAbsent(added.hash(), _ -> EthJson.header(added)));
          case Topic.Logs(LogFilter filter) -> announceLogs(subscription, filter, added, false);
          case Topic.PendingTransactions _ -> {}
          case Topic.SyncStatus _ -> {}
        }
      }
    }
  }

  void pending(SimTransaction transaction) {
    if (active.isEmpty() || silent()) {
      return;
    }
    for (Subscription subscription : List.copyOf(active.values())) {
      if (subscription.topic instanceof Topic.PendingTransactions(boolean full)) {
        announce(
            subscription,
            full
                ? EthJson.transaction(transaction, null, 0)
                : EthJson.JSON.textNode(transaction.hash()));
      }
    }
  }

  void syncChanged(Supplier<JsonNode> status) {
    for (Subscription subscription : List.copyOf(active.values())) {
      if (subscription.topic instanceof Topic.SyncStatus) {
        announce(subscription, status.get());
      }
    }
  }

  private void announceHead(Subscription subscription, JsonNode header) {
    boolean twice = false;
    boolean hold = false;
    for (Fault.OnEvent fault : faults.strikeEvent(true)) {
      switch (fault) {
        case Fault.DropSubscription drop -> {
          drop(subscription, drop);
          return;
        }
        case Fault.SkipHeads _ -> {
          return;
        }
        case Fault.DuplicateHeads _ -> twice = true;
        case Fault.ReorderHeads _ -> hold = true;
      }
    }
    JsonNode earlier = subscription.held;
    if (hold && earlier == null) {
      subscription.held = header;
      return;
    }
    deliver(subscription, header);
    if (twice) {
      deliver(subscription, header);
    }
    if (earlier != null) {
      subscription.held = null;
      deliver(subscription, earlier);
    }
  }

  private void announceLogs(
      Subscription subscription, LogFilter filter, SimBlock block, boolean removed) {
    for (ObjectNode log : filter.select(block, removed)) {
      announce(subscription, log);
    }
  }

  private void announce(Subscription subscription, JsonNode event) {
    if (!active.containsKey(subscription.id)) {
      return;
    }
    for (Fault.OnEvent fault : faults.strikeEvent(false)) {
      if (fault instanceof Fault.DropSubscription drop) {
        drop(subscription, drop);
        return;
      }
    }
    deliver(subscription, event);
  }

  private void deliver(Subscription subscription, JsonNode event) {
    delivered++;
    subscription.subscriber.event(subscription.id, event);
  }

  private void drop(Subscription subscription, Fault.DropSubscription fault) {
    active.remove(subscription.id);
    subscription.subscriber.dropped(subscription.id, fault.closeSocket());
  }

  private boolean silent() {
    return faults.standing(Fault.StopHeads.class).stream()
        .anyMatch(Fault.StopHeads::notificationsOnly);
  }

  private String newId() {
    counter++;
    return switch (ids) {
      case SEQUENTIAL -> "0x" + Long.toHexString(counter);
      case RANDOM ->
          String.format("0x%016x%016x", random.nextLong() | Long.MIN_VALUE, random.nextLong());
    };
  }
}
