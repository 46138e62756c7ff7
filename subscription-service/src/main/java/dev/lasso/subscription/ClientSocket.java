package dev.lasso.subscription;

import dev.lasso.engine.edge.ClientLimits;
import dev.lasso.engine.pipeline.RpcEngine;
import dev.lasso.engine.pipeline.RunningCall;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody;
import dev.lasso.engine.rpc.RequestBody.Batch;
import dev.lasso.engine.rpc.RequestBody.Invalid;
import dev.lasso.engine.rpc.RequestBody.Refused;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RequestBody.Single;
import dev.lasso.engine.rpc.RequestParser;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.engine.view.RoutingView;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's WebSocket: its messages are read, served side by side and answered in the order in
 * which they end. When as many calls are in flight as it may have, no more is read from it until
 * one has ended. Belongs to the socket's event loop.
 */
final class ClientSocket {
  private static final int RATE_LIMITED = -32005;

  private final Vertx vertx;
  private final ServerWebSocket socket;
  private final SocketAddressing addressing;
  private final String caller;
  private final RoutingView view;
  private final ClientLimits limits;
  private final RpcEngine engine;
  private final EdgeSettings settings;
  private final AnswerBytes.Account account;
  private final Outbound outbound;
  private final MessageAssembly assembly;
  private final Set<Running> running = new HashSet<>();
  private final long pingTimer;
  private final SocketSubscriptions subscriptions;
  private int calls;
  private int subscribing;
  private int unansweredPings;
  private boolean paused;
  private boolean draining;
  private boolean gone;
  private Runnable whenIdle = () -> {};

  /**
   * @param caller who the client is, as limits know it
   */
  ClientSocket(
      Vertx vertx,
      ServerWebSocket socket,
      SocketAddressing addressing,
      String caller,
      SubscriptionServer.Parts parts,
      RpcEngine engine,
      LoopSubscriptions streams) {
    this.vertx = vertx;
    this.socket = socket;
    this.addressing = addressing;
    this.caller = caller;
    this.view = parts.view();
    this.limits = parts.limits();
    this.engine = engine;
    this.settings = parts.settings();
    this.account = parts.answerBytes().account();
    this.outbound = new Outbound(socket, settings.maxQueueBytes(), account, parts.meters());
    this.subscriptions =
        new SocketSubscriptions(streams, outbound, settings.maxSubscriptions(), parts.meters());
    this.assembly = new MessageAssembly(settings.maxMessageBytes());
    this.pingTimer = vertx.setPeriodic(settings.ping().toMillis(), _ -> ping());
  }

  /** Begins to serve; {@code onGone} is run once when the connection is no more. */
  void open(Consumer<ClientSocket> onGone) {
    socket.exceptionHandler(_ -> {});
    socket.pongHandler(_ -> unansweredPings = 0);
    socket.closeHandler(_ -> gone(onGone));
    socket.frameHandler(this::frame);
  }

  private void gone(Consumer<ClientSocket> onGone) {
    gone = true;
    vertx.cancelTimer(pingTimer);
    outbound.gone();
    subscriptions.end();
    List.copyOf(running).forEach(Running::cancel);
    running.clear();
    account.close();
    onGone.accept(this);
    whenIdle.run();
  }

  private void ping() {
    if (unansweredPings >= settings.missedPings()) {
      outbound.close(Closing.NO_PONG, "no answer to " + settings.missedPings() + " pings");
      return;
    }
    // while nothing is read from it, its pongs are not read either
    unansweredPings = paused ? 0 : unansweredPings + 1;
    var _ = socket.writePing(Buffer.buffer());
  }

  private void frame(WebSocketFrame frame) {
    unansweredPings = 0;
    switch (assembly.add(frame)) {
      case MessageAssembly.Step.Incomplete _ -> {}
      case MessageAssembly.Step.Complete(Buffer message) -> message(message.getBytes());
      case MessageAssembly.Step.TooLong _ ->
          outbound.close(
              Closing.MESSAGE_TOO_LONG,
              "message longer than " + settings.maxMessageBytes() + " bytes");
    }
  }

  private void message(byte[] message) {
    if (draining) {
      return;
    }
    RequestBody body = RequestParser.parse(message, settings.envelope());
    if (!admitted(body)) {
      return;
    }
    switch (body) {
      case Refused(RpcFault fault) -> outbound.send(Answers.error(JsonSlice.NULL, fault));
      case Single(Invalid(RpcFault fault, JsonSlice id)) -> outbound.send(Answers.error(id, fault));
      case Single(RequestEnvelope call) when SocketSubscriptions.handles(call) ->
          subscription(call);
      case Single(RequestEnvelope call) -> call(call);
      case Batch(List<RequestBody.Item> items)
          when items.stream().anyMatch(ClientSocket::isSubscription) ->
          mixed(items);
      case Batch(List<RequestBody.Item> items) -> batch(items);
    }
  }

  /** Counts the calls against the profile's limits, as over HTTP. */
  private boolean admitted(RequestBody body) {
    SocketAddressing.Located to = addressing.locate(view.snapshot());
    if (to == null) {
      return true;
    }
    int asked = body instanceof Batch(List<RequestBody.Item> items) ? items.size() : 1;
    long waitMs = limits.take(to.target().profile().profile(), caller, asked, System.nanoTime());
    if (waitMs > 0) {
      JsonSlice id = body instanceof Single(RequestBody.Item item) ? item.id() : null;
      outbound.send(
          Answers.error(
              id == null ? JsonSlice.NULL : id,
              RATE_LIMITED,
              "Too many requests",
              JsonSlice.of(new JsonObject().put("retry_after_ms", waitMs).encode())));
    }
    return waitMs == 0;
  }

  private void call(RequestEnvelope call) {
    JsonSlice id = call.id() == null ? JsonSlice.NULL : call.id();
    SocketAddressing.Located to = locate(id);
    if (to == null) {
      return;
    }
    Running entry = new Running(1);
    AnswerBytes.Share share = share();
    entry.started(
        engine.call(
            to.target(),
            to.position(),
            call,
            new SocketAnswerSink(
                id,
                addressing.options().metadata(),
                share,
                answer -> {
                  share.release();
                  entry.answered(call.notification() ? Buffer.buffer() : answer);
                })));
  }

  private void batch(List<RequestBody.Item> items) {
    SocketAddressing.Located to = locate(JsonSlice.NULL);
    if (to == null) {
      return;
    }
    Running entry = new Running(items.size());
    AnswerBytes.Share share = share();
    entry.started(
        engine.batch(
            to.target(),
            to.position(),
            items,
            new SocketAnswerSink(
                JsonSlice.NULL,
                addressing.options().metadata(),
                share,
                answer -> {
                  share.release();
                  entry.answered(answer);
                })));
  }

  private AnswerBytes.Share share() {
    return new AnswerBytes.Share(account, settings.maxQueueBytes());
  }

  private static boolean isSubscription(RequestBody.Item item) {
    return item instanceof RequestEnvelope call && SocketSubscriptions.handles(call);
  }

  private void subscription(RequestEnvelope call) {
    SocketAddressing.Located to = locate(call.id() == null ? JsonSlice.NULL : call.id());
    if (to == null) {
      return;
    }
    serve(
        call,
        to,
        reply -> {
          if (reply.text().length() > 0) {
            outbound.send(reply.text());
          }
          reply.afterwards().run();
        });
  }

  /** What follows on the socket waits for the answer, as clients expect. */
  private void serve(
      RequestEnvelope call, SocketAddressing.Located to, Consumer<SocketSubscriptions.Reply> done) {
    subscribing++;
    flow();
    subscriptions.serve(
        call,
        to.target().profile().profile().slug(),
        to.target().chain(),
        reply -> {
          subscribing--;
          done.accept(reply);
          flow();
        });
  }

  /** A batch with subscriptions in it: its items run side by side, answered together in order. */
  private void mixed(List<RequestBody.Item> items) {
    SocketAddressing.Located to = locate(JsonSlice.NULL);
    if (to == null) {
      return;
    }
    AnswerBytes.Share share = share();
    MixedBatch batch =
        new MixedBatch(
            items.size(),
            whole -> {
              share.release();
              if (whole.length() > 0) {
                outbound.send(whole);
              }
            });
    for (int i = 0; i < items.size(); i++) {
      int place = i;
      if (items.get(i) instanceof RequestEnvelope call && SocketSubscriptions.handles(call)) {
        serve(call, to, reply -> batch.put(place, reply));
      } else {
        Running entry = new Running(1);
        RequestBody.Item item = items.get(i);
        JsonSlice id = item.id() == null ? JsonSlice.NULL : item.id();
        boolean silent = item instanceof RequestEnvelope call && call.notification();
        entry.started(
            engine.call(
                to.target(),
                to.position(),
                item,
                new SocketAnswerSink(
                    id,
                    addressing.options().metadata(),
                    share,
                    answer -> {
                      entry.answered(Buffer.buffer());
                      batch.put(
                          place, SocketSubscriptions.Reply.of(silent ? Buffer.buffer() : answer));
                    })));
      }
    }
  }

  /** Reads on or pauses. */
  private void flow() {
    boolean busy = calls >= settings.maxCalls() || subscribing > 0;
    if (busy && !paused) {
      paused = true;
      socket.pause();
    } else if (!busy && paused) {
      paused = false;
      socket.resume();
    }
  }

  private SocketAddressing.@Nullable Located locate(JsonSlice id) {
    SocketAddressing.Located to = addressing.locate(view.snapshot());
    if (to == null) {
      outbound.send(
          Answers.error(
              id,
              new RpcFault(
                  RpcFault.INVALID_PARAMS,
                  "The profile, chain or provider of this connection is no longer there")));
    }
    return to == null ? null : to.by(caller);
  }

  /** Lets what is in flight end, reads nothing more; {@code idle} is run once. */
  void drain(Runnable idle) {
    draining = true;
    if (gone || calls == 0) {
      idle.run();
    } else {
      whenIdle = idle;
    }
  }

  void close(Closing why, String reason) {
    outbound.close(why, reason);
  }

  /** The calls of one message under way. */
  private final class Running {
    private final int size;
    private @Nullable RunningCall call;
    private boolean over;

    Running(int size) {
      this.size = size;
      calls += size;
      running.add(this);
      flow();
    }

    void started(RunningCall started) {
      if (!over) {
        call = started;
      }
    }

    void cancel() {
      RunningCall started = call;
      if (started != null) {
        started.cancel();
      }
    }

    void answered(Buffer answer) {
      if (over) {
        return;
      }
      over = true;
      calls -= size;
      running.remove(this);
      if (answer.length() > 0) {
        outbound.send(answer);
      }
      flow();
      if (calls == 0) {
        whenIdle.run();
        whenIdle = () -> {};
      }
    }
  }
}
