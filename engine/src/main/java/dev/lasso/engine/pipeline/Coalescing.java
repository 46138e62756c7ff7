package dev.lasso.engine.pipeline;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.facts.RpcMethod;
import io.vertx.core.Context;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The reads under way in this process, so that equal ones share one upstream attempt. Shared by all
 * event loops; each shared call stays on the event loop that began it.
 */
public final class Coalescing {
  private static final byte[] PENDING = "\"pending\"".getBytes(StandardCharsets.US_ASCII);

  private final ConcurrentHashMap<Key, SharedCall> running = new ConcurrentHashMap<>();
  private final int maxSharedBytes;

  /**
   * Nothing under way.
   *
   * @param maxSharedBytes most bytes of a result that are held for several callers
   */
  public Coalescing(int maxSharedBytes) {
    this.maxSharedBytes = maxSharedBytes;
  }

  /** What makes two calls equal: where they go, how, and every byte of what they ask. */
  private record Key(
      ProfileSlug profile, ChainId chain, RequestOptions options, String method, Params params) {
    static Key of(RpcTarget target, RpcMethod method, RpcCall call) {
      return new Key(
          target.profile().profile().slug(),
          target.chain().settings().chainId(),
          target.options(),
          method.name(),
          new Params(call.params()));
    }
  }

  /** Params compared byte by byte, with their hash worked out once. */
  private static final class Params {
    private final JsonSlice text;
    private final int hash;

    Params(JsonSlice text) {
      this.text = text;
      int sum = 1;
      byte[] source = text.source();
      for (int i = text.from(); i < text.to(); i++) {
        sum = 31 * sum + source[i];
      }
      this.hash = sum;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Params params && hash == params.hash && text.sameText(params.text);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * Whether calls may share an answer: reads that are the same for everybody. What is pending
   * changes with every transaction that a caller has sent just before, so it is always asked for.
   */
  static boolean covers(RpcMethod method, RpcCall call) {
    return method.replaySafe()
        && switch (method.category()) {
          case HEAD, LIGHT, CALL, LOGS, RECEIPTS, BLOCK, TRANSACTION ->
              !mentionsPending(call.params());
          case DEBUG, TRACE, TXPOOL, SEND, FILTER, SUBSCRIPTION, LOCAL, NET, OTHER -> false;
        };
  }

  private static boolean mentionsPending(JsonSlice params) {
    byte[] source = params.source();
    int last = params.to() - PENDING.length;
    for (int i = params.from(); i <= last; i++) {
      if (source[i] == '"'
          && Arrays.equals(source, i, i + PENDING.length, PENDING, 0, PENDING.length)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The call to take part in: one under way, or a new one that the caller has to begin.
   *
   * @param loop the caller's event loop
   */
  SharedCall find(RpcTarget target, RpcMethod method, RpcCall call, Context loop) {
    Key key = Key.of(target, method, call);
    SharedCall known = running.get(key);
    if (known != null) {
      return known;
    }
    SharedCall made = new SharedCall(loop, method.deadlineMs(), maxSharedBytes);
    made.whenOver(() -> running.remove(key, made));
    SharedCall first = running.putIfAbsent(key, made);
    return first == null ? made : first;
  }

  /** Shared calls under way. */
  public int size() {
    return running.size();
  }
}
