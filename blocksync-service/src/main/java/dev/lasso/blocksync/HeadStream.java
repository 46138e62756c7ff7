package dev.lasso.blocksync;

import dev.lasso.engine.query.Answer;
import dev.lasso.engine.query.NodeQuery;
import dev.lasso.engine.query.Quantity;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.engine.upstream.WsSubscriber;
import dev.lasso.engine.upstream.WsUpstream;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.errors.UpstreamError;
import io.vertx.core.Context;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@code newHeads} subscription at one instance. After each connection it asks for the chain
 * id; until the right one is known, the last head pushed is held back. A silent stream is
 * subscribed anew. Everything belongs to the watcher's event loop; what the connection says is
 * taken there. Times are milliseconds.
 */
final class HeadStream {
  private static final JsonSlice PARAMS = JsonSlice.of("[\"newHeads\"]");

  private final WsUpstream connection;
  private final ChainId chain;
  private final NodeQuery node;
  private final Context loop;
  private final InstantSource elapsing;
  private final Consumer<BlockHeader> heads;
  private final LongConsumer wrongChain;
  private State state = new Waiting();
  private int subscriptions;
  private @Nullable UpstreamCall subscription;

  /**
   * @param elapsing what silence is reckoned by; nobody sets it
   * @param heads takes the heads of the right chain, on the event loop
   * @param wrongChain hears of another chain's id, on the event loop
   */
  HeadStream(
      WsUpstream connection,
      ChainId chain,
      NodeQuery node,
      Context loop,
      InstantSource elapsing,
      Consumer<BlockHeader> heads,
      LongConsumer wrongChain) {
    this.connection = connection;
    this.chain = chain;
    this.node = node;
    this.loop = loop;
    this.elapsing = elapsing;
    this.heads = heads;
    this.wrongChain = wrongChain;
  }

  private sealed interface State {}

  /** No connection, or the subscription was refused on this one. */
  private record Waiting() implements State {}

  /** Subscribed; whether to the right chain is being asked. */
  private record Checking(long sinceMs, @Nullable BlockHeader held) implements State {}

  /** Subscribed to the right chain. */
  private record Live(long heardMs) implements State {}

  /** Subscribed to another chain: nothing is taken until the next connection. */
  private record Foreign() implements State {}

  void open() {
    int own = ++subscriptions;
    state = new Waiting();
    subscription = connection.subscribe(PARAMS, new Subscriber(own));
  }

  void close() {
    subscriptions++;
    state = new Waiting();
    UpstreamCall current = subscription;
    if (current != null) {
      current.cancel();
      subscription = null;
    }
  }

  /** Whether the stream is over this connection. */
  boolean over(@Nullable WsUpstream other) {
    return connection == other;
  }

  /** Whether heads come by this stream: the right chain's, the last not too long ago. */
  boolean covers(long nowMs, long timeoutMs) {
    return state instanceof Live(long heardMs) && nowMs - heardMs <= timeoutMs;
  }

  /** How long a stream that ought to speak has been silent; 0 when it needs not speak. */
  long silentMs(long nowMs) {
    return switch (state) {
      case Live(long heardMs) -> nowMs - heardMs;
      case Checking(long sinceMs, BlockHeader _) -> nowMs - sinceMs;
      case Waiting _, Foreign _ -> 0;
    };
  }

  /** Ends the subscription and makes it again. */
  void renew() {
    close();
    open();
  }

  private void subscribed(int own) {
    Checking checking = new Checking(elapsing.millis(), null);
    state = checking;
    node.ask("eth_chainId", "[]")
        .onSuccess(
            answer -> {
              if (own == subscriptions
                  && state instanceof Checking(long sinceMs, BlockHeader held)
                  && sinceMs == checking.sinceMs()
                  && answer instanceof Answer.Value(JsonSlice json)) {
                checked(Quantity.parse(json), held);
              }
            });
  }

  private void checked(@Nullable Long chainId, @Nullable BlockHeader held) {
    if (chainId == null) {
      return;
    }
    if (chainId != chain.value()) {
      state = new Foreign();
      wrongChain.accept(chainId);
      return;
    }
    state = new Live(elapsing.millis());
    if (held != null) {
      heads.accept(held);
    }
  }

  private void pushed(JsonSlice event) {
    BlockHeader header = BlockHeader.read(event);
    if (header == null) {
      return;
    }
    switch (state) {
      case Checking(long sinceMs, BlockHeader _) -> state = new Checking(sinceMs, header);
      case Live _ -> {
        state = new Live(elapsing.millis());
        heads.accept(header);
      }
      case Waiting _, Foreign _ -> {}
    }
  }

  /** Takes what the connection's event loop says to the watcher's. */
  private final class Subscriber implements WsSubscriber {
    private final int own;

    Subscriber(int own) {
      this.own = own;
    }

    @Override
    public void active() {
      onLoop(() -> subscribed(own));
    }

    @Override
    public void event(JsonSlice event) {
      onLoop(() -> pushed(event));
    }

    @Override
    public void lost() {
      onLoop(() -> state = new Waiting());
    }

    @Override
    public void refused(UpstreamError error) {
      onLoop(() -> state = new Waiting());
    }

    private void onLoop(Runnable step) {
      loop.runOnContext(
          _ -> {
            if (own == subscriptions) {
              step.run();
            }
          });
    }
  }
}
