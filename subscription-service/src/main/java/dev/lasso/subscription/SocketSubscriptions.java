package dev.lasso.subscription;

import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.snapshot.ActiveChain;
import io.micrometer.core.instrument.Counter;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The subscriptions of one socket: only it can end them. Belongs to the socket's event loop. */
final class SocketSubscriptions {
  private static final String SUBSCRIBE = "eth_subscribe";
  private static final String UNSUBSCRIBE = "eth_unsubscribe";

  private final LoopSubscriptions all;
  private final Outbound outbound;
  private final int most;
  private final ClientMeters meters;
  private final Map<String, Live> accepted = new HashMap<>();
  private int opening;
  private boolean gone;

  SocketSubscriptions(LoopSubscriptions all, Outbound outbound, int most, ClientMeters meters) {
    this.meters = meters;
    this.all = all;
    this.outbound = outbound;
    this.most = most;
  }

  /** A subscription, and how it is ended. */
  private record Live(ClientMeters.Kind kind, Runnable end) {}

  /**
   * An answer, and what is to be done once it has been sent.
   *
   * @param text the JSON-RPC answer; empty for a notification
   */
  record Reply(Buffer text, Runnable afterwards) {
    static Reply of(Buffer text) {
      return new Reply(text, () -> {});
    }
  }

  /** Whether a call is for here. */
  static boolean handles(RequestEnvelope call) {
    String method = call.call().method();
    return method.equals(SUBSCRIBE) || method.equals(UNSUBSCRIBE);
  }

  /**
   * Serves a call.
   *
   * @param done gets the reply once, perhaps before this returns
   */
  void serve(RequestEnvelope call, ProfileSlug profile, ActiveChain chain, Consumer<Reply> done) {
    JsonSlice id = call.id();
    if (id == null) {
      // nobody would learn the subscription's id
      done.accept(Reply.of(Buffer.buffer()));
    } else if (call.call().method().equals(SUBSCRIBE)) {
      subscribe(id, call, profile, chain, done);
    } else {
      done.accept(Reply.of(unsubscribe(id, call)));
    }
  }

  private void subscribe(
      JsonSlice id,
      RequestEnvelope call,
      ProfileSlug profile,
      ActiveChain chain,
      Consumer<Reply> done) {
    SubscribeRequest request;
    try {
      request = SubscribeRequest.read(call.call().params());
    } catch (IllegalArgumentException e) {
      done.accept(refused(id, RpcFault.INVALID_PARAMS, "Invalid params: " + e.getMessage()));
      return;
    }
    if (accepted.size() + opening >= most) {
      done.accept(
          refused(
              id, RpcFault.SERVER_ERROR, "No more than " + most + " subscriptions on one socket"));
      return;
    }
    opening++;
    ClientMeters.Kind kind = ClientMeters.Kind.of(request);
    all.subscribe(
            profile,
            chain,
            request,
            new ToSocket(LoopSubscriptions.strict(chain), meters.notifications(kind)))
        .onComplete(
            result -> {
              opening--;
              if (result.failed()) {
                done.accept(
                    refused(
                        id, RpcFault.SERVER_ERROR, String.valueOf(result.cause().getMessage())));
              } else {
                opened(id, kind, result.result(), done);
              }
            });
  }

  private void opened(
      JsonSlice id,
      ClientMeters.Kind kind,
      LoopSubscriptions.Accepted subscription,
      Consumer<Reply> done) {
    if (gone) {
      subscription.end().run();
      return;
    }
    accepted.put(subscription.id(), new Live(kind, subscription.end()));
    meters.subscriptions(kind, 1);
    done.accept(
        new Reply(
            Answers.result(id, JsonSlice.of("\"" + subscription.id() + "\"")),
            () -> {
              if (accepted.containsKey(subscription.id())) {
                subscription.begin().run();
              }
            }));
  }

  private Buffer unsubscribe(JsonSlice id, RequestEnvelope call) {
    String subscription = idIn(call.call().params());
    if (subscription == null) {
      return Answers.error(
          id, new RpcFault(RpcFault.INVALID_PARAMS, "Invalid params: expected a subscription id"));
    }
    Live ended = accepted.remove(subscription);
    if (ended != null) {
      end(ended);
    }
    return Answers.result(id, JsonSlice.of(Boolean.toString(ended != null)));
  }

  private static @Nullable String idIn(JsonSlice params) {
    try {
      JsonArray array = new JsonArray(Buffer.buffer(params.toArray()));
      return !array.isEmpty() && array.getValue(0) instanceof String id ? id : null;
    } catch (DecodeException | ClassCastException _) {
      return null;
    }
  }

  private static Reply refused(JsonSlice id, int code, String message) {
    return Reply.of(Answers.error(id, new RpcFault(code, message)));
  }

  /** The socket is no more. */
  void end() {
    gone = true;
    accepted.values().forEach(this::end);
    accepted.clear();
  }

  private void end(Live subscription) {
    subscription.end().run();
    meters.subscriptions(subscription.kind(), -1);
  }

  private final class ToSocket implements Subscription.Receiver {
    private final boolean strict;
    private final Counter notifications;

    ToSocket(boolean strict, Counter notifications) {
      this.strict = strict;
      this.notifications = notifications;
    }

    @Override
    public void send(ByteBuf message) {
      notifications.increment();
      outbound.send(message);
    }

    @Override
    public void abort(String reason) {
      outbound.close(Closing.STREAM_HOLE, reason);
    }

    @Override
    public boolean strict() {
      return strict;
    }
  }
}
