package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.engine.rpc.UpstreamMessage;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.errors.UpstreamError;
import dev.lasso.routing.profile.UpstreamUrl;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A provider over one WebSocket, shared by the whole process. One event loop owns the connection
 * and the table of calls under way; calls may come from any event loop and hear of their outcome
 * there. Ids are never used twice, so a late answer matches nobody and is dropped.
 */
public final class WsUpstream implements Upstream {
  private final Vertx vertx;
  private final Context owner;
  private final WsSettings settings;
  private final WsLink link;
  private final Map<Long, Pending> pending = new HashMap<>();
  private final WsSubscriptions subscriptions = new WsSubscriptions(this);
  private long lastId;

  /**
   * @param owner the event loop that owns the connection
   * @param random spreads the waits between attempts to connect; used on the owner only
   */
  WsUpstream(
      Vertx vertx,
      Context owner,
      WebSocketClient client,
      InstanceId instance,
      UpstreamUrl url,
      Map<String, String> headers,
      WsSettings settings,
      RandomGenerator random) {
    this.vertx = vertx;
    this.owner = owner;
    this.settings = settings;
    this.link =
        new WsLink(vertx, client, instance, url, headers, settings, random, new LinkEvents());
  }

  /** Begins to connect, and keeps connected until {@link #close}. Any thread. */
  void start() {
    owner.runOnContext(now -> link.dial());
  }

  /** Whether a connection is open now. Any thread. */
  public boolean connected() {
    return link.open();
  }

  @Override
  public UpstreamCall call(UpstreamRequest request, Handler<UpstreamOutcome> done) {
    Pending call = new Pending(request, vertx.getOrCreateContext(), done);
    owner.runOnContext(now -> send(call));
    return call;
  }

  /**
   * Subscribes, now and again with every new connection. Any thread.
   *
   * @param params params of {@code eth_subscribe}, an array
   * @param subscriber hears of it on the owning event loop
   * @return ends the subscription; any thread
   */
  public UpstreamCall subscribe(JsonSlice params, WsSubscriber subscriber) {
    WsSubscriptions.Subscription subscription =
        new WsSubscriptions.Subscription(params, subscriber);
    owner.runOnContext(now -> subscriptions.add(subscription, connected()));
    return () -> owner.runOnContext(now -> subscriptions.remove(subscription));
  }

  /** Closes the connection for good; calls under way fail. Any thread. */
  public void close() {
    owner.runOnContext(
        now -> {
          link.close();
          failAll(TransportFault.CLOSED);
        });
  }

  private void send(Pending call) {
    if (!link.open()) {
      call.finish(new UpstreamOutcome.Failed(TransportFault.CLOSED, false));
      return;
    }
    if (pending.size() >= settings.maxInFlight()) {
      call.finish(new UpstreamOutcome.Failed(TransportFault.BUSY, false));
      return;
    }
    lastId++;
    long id = lastId;
    try {
      if (!link.send(call.request.call().encode(id))) {
        call.finish(new UpstreamOutcome.Failed(TransportFault.BUSY, false));
        return;
      }
    } catch (IllegalStateException _) { // a connection that has just ended
      call.finish(new UpstreamOutcome.Failed(TransportFault.CLOSED, true));
      return;
    }
    call.id = id;
    pending.put(id, call);
    call.timer =
        vertx.setTimer(
            call.request.timeoutMs(),
            expired -> {
              call.timer = -1;
              take(id, new UpstreamOutcome.Failed(TransportFault.TIMEOUT, true));
            });
  }

  /** Sends a call of the subscription table, on the owner. */
  void request(RpcCall call, Handler<UpstreamOutcome> done) {
    send(new Pending(new UpstreamRequest(call, settings.connectTimeoutMs(), true), owner, done));
  }

  private void take(long id, UpstreamOutcome outcome) {
    Pending call = pending.remove(id);
    if (call != null) {
      call.stopTimer();
      call.finish(outcome);
    }
  }

  private void failAll(TransportFault fault) {
    List<Pending> calls = new ArrayList<>(pending.values());
    pending.clear();
    for (Pending call : calls) {
      call.stopTimer();
      call.finish(new UpstreamOutcome.Failed(fault, true));
    }
  }

  private static UpstreamOutcome outcome(ScannedAnswer answer) {
    return switch (answer) {
      case ScannedAnswer.Result result -> new UpstreamOutcome.Result(result.result());
      case ScannedAnswer.RpcError error ->
          new UpstreamOutcome.Refused(
              new UpstreamError(
                  null,
                  error.code(),
                  error.message(),
                  error.data() == null ? null : error.data().toString()),
              error,
              MultiMap.caseInsensitiveMultiMap(),
              null);
      case ScannedAnswer.Malformed malformed ->
          new UpstreamOutcome.Refused(
              new UpstreamError(null, null, malformed.preview(), null),
              null,
              MultiMap.caseInsensitiveMultiMap(),
              malformed.reason());
      case ScannedAnswer.Streamed _ -> new UpstreamOutcome.Failed(TransportFault.PROTOCOL, true);
    };
  }

  private final class LinkEvents implements WsLink.Listener {
    @Override
    public void opened() {
      subscriptions.opened();
    }

    @Override
    public void message(byte[] message) {
      switch (UpstreamMessage.read(message, settings.scan())) {
        case UpstreamMessage.Reply reply -> take(reply.id(), outcome(reply.answer()));
        case UpstreamMessage.Notification event ->
            subscriptions.event(event.subscription(), event.event());
        case UpstreamMessage.Unusable unusable -> {
          if (!unusable.json()) {
            link.giveUp();
          }
        }
      }
    }

    @Override
    public void lost(boolean tooLarge) {
      // with one call under way it is known whose answer it was
      TransportFault large =
          pending.size() == 1 ? TransportFault.TOO_LARGE : TransportFault.CUT_SHORT;
      failAll(tooLarge ? large : TransportFault.CLOSED);
      subscriptions.lost();
    }
  }

  /** A call under way. Everything but {@link #cancelled} belongs to the owner. */
  private final class Pending implements UpstreamCall {
    private final UpstreamRequest request;
    private final Context caller;
    private final Handler<UpstreamOutcome> done;

    /** Read and written on the caller's event loop only. */
    private boolean cancelled;

    private long id;
    private long timer = -1;

    Pending(UpstreamRequest request, Context caller, Handler<UpstreamOutcome> done) {
      this.request = request;
      this.caller = caller;
      this.done = done;
    }

    @Override
    public void cancel() {
      cancelled = true;
      owner.runOnContext(
          now -> {
            pending.remove(id);
            stopTimer();
          });
    }

    void stopTimer() {
      if (timer >= 0) {
        vertx.cancelTimer(timer);
        timer = -1;
      }
    }

    void finish(UpstreamOutcome outcome) {
      caller.runOnContext(
          now -> {
            if (!cancelled) {
              cancelled = true;
              done.handle(outcome);
            }
          });
    }
  }

  /** Calls waiting for an answer. On the owner. */
  int inFlight() {
    return pending.size();
  }

  Context owner() {
    return owner;
  }
}
