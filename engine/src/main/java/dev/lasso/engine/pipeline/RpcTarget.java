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
 */
public record RpcTarget(ActiveProfile profile, ActiveChain chain, RequestOptions options) {}
