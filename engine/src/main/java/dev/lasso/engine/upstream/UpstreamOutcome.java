package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.routing.errors.UpstreamError;
import io.vertx.core.MultiMap;
import org.jspecify.annotations.Nullable;

/** How a call ended. */
public sealed interface UpstreamOutcome {
  /** The provider gave a result, held whole. */
  record Result(JsonSlice result) implements UpstreamOutcome {}

  /**
   * The provider gives a large result; its bytes flow once {@link ResultStream#start} is called.
   */
  record Streaming(ResultStream stream) implements UpstreamOutcome {}

  /**
   * The provider answered, but gave no result.
   *
   * @param error what it said, to be classified
   * @param answer its JSON-RPC error to pass on, or null when it sent none
   * @param headers the headers of an HTTP answer; empty over WebSocket
   * @param malformed what is wrong with an answer that is no JSON-RPC, or null
   */
  record Refused(
      UpstreamError error,
      ScannedAnswer.@Nullable RpcError answer,
      MultiMap headers,
      @Nullable String malformed)
      implements UpstreamOutcome {}

  /**
   * No answer came.
   *
   * @param fault why
   * @param sent whether the provider may have seen the request
   */
  record Failed(TransportFault fault, boolean sent) implements UpstreamOutcome {}
}
