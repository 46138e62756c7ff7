package dev.lasso.engine.pipeline;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;

/**
 * Where a request is addressed to, looked up in the snapshot that it is routed with.
 *
 * @param profile the profile
 * @param chain the chain
 * @param options what the caller asks for beside the call
 * @param caller who asks, as limits know them; empty for Lasso itself
 */
public record RpcTarget(
    ActiveProfile profile, ActiveChain chain, RequestOptions options, String caller) {
  /** A target of Lasso's own requests. */
  public RpcTarget(ActiveProfile profile, ActiveChain chain, RequestOptions options) {
    this(profile, chain, options, "");
  }

  /** The same with other options. */
  RpcTarget with(RequestOptions others) {
    return new RpcTarget(profile, chain, others, caller);
  }

  /** The same, asked by somebody. */
  public RpcTarget by(String somebody) {
    return new RpcTarget(profile, chain, options, somebody);
  }
}
