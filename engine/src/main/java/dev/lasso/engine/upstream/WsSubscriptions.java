package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.routing.errors.UpstreamError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions on one upstream WebSocket. Owned by the event loop of its {@link WsUpstream}. A
 * provider may push the first events before it answers {@code eth_subscribe}; they are held until
 * it does.
 */
final class WsSubscriptions {
  private static final int MAX_EARLY_EVENTS = 256;

  /** One subscription over all the connections it lives through. */
  static final class Subscription {
    private final JsonSlice params;
    private final WsSubscriber subscriber;
    private @Nullable String remoteId;
    private @Nullable JsonSlice remoteIdAsGiven;
    private boolean removed;

    Subscription(JsonSlice params, WsSubscriber subscriber) {
      this.params = params;
      this.subscriber = subscriber;
    }
  }

  private record Early(String remoteId, JsonSlice event) {}

  private final WsUpstream upstream;
  private final List<Subscription> all = new ArrayList<>();
  private final Map<String, Subscription> byRemoteId = new HashMap<>();
  private final Deque<Early> early = new ArrayDeque<>();
  private int asking;
  private int connection;

  WsSubscriptions(WsUpstream upstream) {
    this.upstream = upstream;
  }

  void add(Subscription subscription, boolean connected) {
    all.add(subscription);
    if (connected) {
      ask(subscription);
    }
  }

  void remove(Subscription subscription) {
    subscription.removed = true;
    all.remove(subscription);
    JsonSlice given = subscription.remoteIdAsGiven;
    if (subscription.remoteId != null && given != null) {
      byRemoteId.remove(subscription.remoteId);
      unsubscribe(given);
    }
  }

  /** A number stays a number: some providers tell the two apart. */
  private void unsubscribe(JsonSlice remoteId) {
    upstream.request(RpcCall.of("eth_unsubscribe", "[" + remoteId + "]"), answer -> {});
  }

  void opened() {
    connection++;
    for (Subscription subscription : List.copyOf(all)) {
      ask(subscription);
    }
  }

  void lost() {
    connection++;
    byRemoteId.clear();
    early.clear();
    asking = 0;
    for (Subscription subscription : List.copyOf(all)) {
      if (subscription.remoteId != null) {
        subscription.remoteId = null;
        subscription.remoteIdAsGiven = null;
        subscription.subscriber.lost();
      }
    }
  }

  void event(String remoteId, JsonSlice event) {
    Subscription subscription = byRemoteId.get(remoteId);
    if (subscription != null) {
      subscription.subscriber.event(event);
    } else if (asking > 0) {
      if (early.size() == MAX_EARLY_EVENTS) {
        early.removeFirst();
      }
      early.addLast(new Early(remoteId, event));
    }
  }

  private void ask(Subscription subscription) {
    asking++;
    int askedOn = connection;
    upstream.request(
        RpcCall.of("eth_subscribe", subscription.params),
        outcome -> {
          if (askedOn == connection) {
            asking--;
            answered(subscription, outcome);
            if (asking == 0) {
              early.clear();
            }
          }
        });
  }

  private void answered(Subscription subscription, UpstreamOutcome outcome) {
    switch (outcome) {
      case UpstreamOutcome.Result result -> accepted(subscription, result.result());
      case UpstreamOutcome.Refused refused -> refused(subscription, refused.error());
      case UpstreamOutcome.Failed failed ->
          refused(subscription, new UpstreamError(null, null, failed.fault().words(), null));
      case UpstreamOutcome.Streaming streaming -> streaming.stream().cancel();
    }
  }

  private static void refused(Subscription subscription, UpstreamError error) {
    if (!subscription.removed) {
      subscription.subscriber.refused(error);
    }
  }

  private void accepted(Subscription subscription, JsonSlice given) {
    if (subscription.removed) {
      unsubscribe(given);
      return;
    }
    String remoteId = remoteId(given);
    subscription.remoteIdAsGiven = given;
    subscription.remoteId = remoteId;
    byRemoteId.put(remoteId, subscription);
    subscription.subscriber.active();
    early.removeIf(
        held -> {
          if (held.remoteId().equals(remoteId)) {
            subscription.subscriber.event(held.event());
            return true;
          }
          return false;
        });
  }

  /** The id as notifications carry it: a string's content, or the text of a number. */
  private static String remoteId(JsonSlice result) {
    String text = new String(result.toArray(), StandardCharsets.UTF_8);
    return text.startsWith("\"") && text.length() > 1 ? text.substring(1, text.length() - 1) : text;
  }
}
