package dev.lasso.engine.upstream;

import io.vertx.core.Handler;

/** One provider over one transport, as one event loop sees it. */
public interface Upstream {
  /**
   * Sends a request. Never blocks and never throws for what the provider or the network does.
   *
   * @param request what to send, and for how long
   * @param done is given the outcome exactly once, later, on the calling event loop; not at all
   *     when the call is cancelled before
   * @return the call under way, to cancel it
   */
  UpstreamCall call(UpstreamRequest request, Handler<UpstreamOutcome> done);
}
