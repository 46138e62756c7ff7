package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.RpcCall;

/**
 * One attempt.
 *
 * @param call what is asked
 * @param timeoutMs how long the answer may take, connecting included; more than 0
 * @param replaySafe whether the provider may be handed the request twice: then a pooled connection
 *     that proves dead before a byte came back is replaced silently, once
 */
public record UpstreamRequest(RpcCall call, long timeoutMs, boolean replaySafe) {
  public UpstreamRequest {
    if (timeoutMs < 1) {
      throw new IllegalArgumentException("timeout must be 1 ms or more, was " + timeoutMs);
    }
  }
}
