package dev.lasso.simulator.fault;

import dev.lasso.simulator.time.TimeText;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One way in which a provider misbehaves. Three groups differ in when they strike:
 *
 * <ul>
 *   <li>{@link OnRequest}: each time a matching JSON-RPC call arrives;
 *   <li>{@link OnEvent}: each time a subscription is about to be told something;
 *   <li>{@link Standing}: all the time from being pinned until being cleared.
 * </ul>
 *
 * <p>{@code toString()} is the word as {@link FaultRule#parse} reads it.
 */
public sealed interface Fault {

  /** Strikes single calls, chosen by method, transport, probability and count. */
  sealed interface OnRequest extends Fault {}

  /** Changes what the node answers to a call, or when. */
  sealed interface OnReply extends OnRequest {}

  /** Disturbs the way of an answer back to its caller. */
  sealed interface OnTransport extends OnRequest {
    /** Whether it can strike the upgrade to a WebSocket, as if that were a call. */
    default boolean strikesUpgrade() {
      return false;
    }
  }

  /** Strikes single notifications, chosen by probability and count. */
  sealed interface OnEvent extends Fault {}

  /** Changes the provider as long as it lasts. */
  sealed interface Standing extends Fault {}

  /** The answer comes later. */
  record Delay(Duration time) implements OnReply {
    @Override
    public String toString() {
      return "delay:" + TimeText.format(time);
    }
  }

  /** No answer ever comes; the connection stays open. */
  record Hang() implements OnTransport {
    @Override
    public boolean strikesUpgrade() {
      return true;
    }

    @Override
    public String toString() {
      return "hang";
    }
  }

  /** The connection is reset (TCP RST) instead of an answer. */
  record Reset() implements OnTransport {
    @Override
    public boolean strikesUpgrade() {
      return true;
    }

    @Override
    public String toString() {
      return "reset";
    }
  }

  /**
   * An HTTP status instead of an answer. A WebSocket upgrade is refused with it, an open WebSocket
   * is closed with code 1013.
   *
   * @param status 200 to 599
   * @param headers further response headers
   * @param body the response body; null for a short HTML page, as a proxy in front would send
   */
  record Http(int status, Map<String, String> headers, @Nullable String body)
      implements OnTransport {
    /** Checks the status and copies the headers. */
    public Http {
      headers = Map.copyOf(headers);
      if (status < 200 || status > 599) {
        throw new IllegalArgumentException("HTTP status must be 200 to 599, was " + status);
      }
    }

    @Override
    public boolean strikesUpgrade() {
      return true;
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("http:").append(status);
      headers.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(e -> text.append(':').append(e.getKey()).append('=').append(e.getValue()));
      return body == null ? text.toString() : text.append(":body=").append(body).toString();
    }
  }

  /**
   * A JSON-RPC error instead of a result.
   *
   * @param data JSON text of the error's {@code data}; null for none
   */
  record RpcError(int code, String message, @Nullable String data) implements OnReply {
    @Override
    public String toString() {
      return "rpcError:" + code + ":" + message + (data == null ? "" : ":data=" + data);
    }
  }

  /** A complete answer that is no JSON-RPC. */
  record Malformed(Kind kind) implements OnTransport {
    /** What stands in the answer's place. */
    public enum Kind {
      /** JSON that ends in the middle. */
      JSON,
      /** An HTML page. */
      HTML,
      /** Nothing at all. */
      EMPTY,
      /** Valid JSON that is no JSON-RPC response. */
      OBJECT
    }

    @Override
    public String toString() {
      return "malformed:" + FaultText.lower(kind);
    }
  }

  /** The first half of the answer, then the connection closes. */
  record Truncated() implements OnTransport {
    @Override
    public String toString() {
      return "truncated";
    }
  }

  /** The answer carries another id than the call. */
  record WrongId() implements OnTransport {
    @Override
    public String toString() {
      return "wrongId";
    }
  }

  /** The answer trickles. */
  record SlowBody(long bytesPerSecond) implements OnTransport {
    /** Checks the rate. */
    public SlowBody {
      if (bytesPerSecond < 1) {
        throw new IllegalArgumentException("slowBody needs at least 1 byte per second");
      }
    }

    @Override
    public String toString() {
      return "slowBody:" + bytesPerSecond;
    }
  }

  /**
   * The provider's quota is spent. On an open WebSocket every form is a JSON-RPC error.
   *
   * @param form how the provider says so
   * @param retryAfter when it says to come back
   */
  record RateLimited(Form form, Duration retryAfter) implements OnTransport {
    /** The dialects of "too many requests". */
    public enum Form {
      /** HTTP 429, {@code Retry-After} in seconds. */
      SECONDS,
      /** HTTP 429, {@code Retry-After} as an HTTP date. */
      DATE,
      /** HTTP 429, {@code x-ratelimit-reset} in epoch seconds. */
      RESET,
      /** HTTP 200 with JSON-RPC error -32005. */
      RPC,
      /** HTTP 429 that does not say for how long. */
      NONE
    }

    @Override
    public boolean strikesUpgrade() {
      return true;
    }

    @Override
    public String toString() {
      return "rateLimited:" + FaultText.lower(form) + ":" + TimeText.format(retryAfter);
    }
  }

  /** Calls that ask for the chain answer with another chain's id. */
  record WrongChain(long chainId) implements OnReply {
    @Override
    public String toString() {
      return "wrongChain:" + chainId;
    }
  }

  /** The method does not exist here (-32601). */
  record Unsupported() implements OnReply {
    @Override
    public String toString() {
      return "unsupported";
    }
  }

  /** The result is null, as from a node that does not have the data. */
  record NullResult() implements OnReply {
    @Override
    public String toString() {
      return "nullResult";
    }
  }

  /** The subscription ends without a word instead of an event, or with its socket. */
  record DropSubscription(boolean closeSocket) implements OnEvent {
    @Override
    public String toString() {
      return closeSocket ? "dropSubscription:close" : "dropSubscription";
    }
  }

  /** A head is announced twice. */
  record DuplicateHeads() implements OnEvent {
    @Override
    public String toString() {
      return "duplicateHeads";
    }
  }

  /** A head is not announced. */
  record SkipHeads() implements OnEvent {
    @Override
    public String toString() {
      return "skipHeads";
    }
  }

  /** A head is announced after its successor. */
  record ReorderHeads() implements OnEvent {
    @Override
    public String toString() {
      return "reorderHeads";
    }
  }

  /** The port is closed: open connections end, new ones are refused. */
  record Refuse() implements Standing {
    @Override
    public String toString() {
      return "refuse";
    }
  }

  /** The node reports that it is syncing. */
  record Syncing() implements Standing {
    @Override
    public String toString() {
      return "syncing";
    }
  }

  /**
   * The node no longer follows the chain.
   *
   * @param notificationsOnly only subscriptions fall silent, calls still see the newest block
   */
  record StopHeads(boolean notificationsOnly) implements Standing {
    @Override
    public String toString() {
      return notificationsOnly ? "stopHeads:notifications" : "stopHeads";
    }
  }

  /** The node leaves the chain {@code depth} blocks below its head and follows a private branch. */
  record Fork(int depth) implements Standing {
    /** Checks the depth. */
    public Fork {
      if (depth < 1) {
        throw new IllegalArgumentException("fork needs a depth of at least 1");
      }
    }

    @Override
    public String toString() {
      return "fork:" + depth;
    }
  }

  /** The node falls back by a number of blocks and follows at that distance. */
  record Rewind(int blocks) implements Standing {
    /** Checks the number. */
    public Rewind {
      if (blocks < 1) {
        throw new IllegalArgumentException("rewind needs at least 1 block");
      }
    }

    @Override
    public String toString() {
      return "rewind:" + blocks;
    }
  }

  /** The node claims to be a number of blocks ahead of the chain, on blocks that it made up. */
  record Ahead(int blocks) implements Standing {
    /** Checks the number. */
    public Ahead {
      if (blocks < 1 || blocks > 1_000) {
        throw new IllegalArgumentException("ahead needs 1 to 1000 blocks");
      }
    }

    @Override
    public String toString() {
      return "ahead:" + blocks;
    }
  }
}
