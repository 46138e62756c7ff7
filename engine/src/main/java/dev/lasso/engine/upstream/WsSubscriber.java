package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.errors.UpstreamError;

/** Hears of one upstream subscription, on the event loop of its {@link WsUpstream}. */
public interface WsSubscriber {
  /**
   * The provider accepted it, for the first time or after a reconnection: what came between is
   * missing.
   */
  void active();

  /** The provider pushed an event: the value of {@code params.result}. */
  void event(JsonSlice event);

  /** The connection is gone. The subscription is made again with the next one. */
  void lost();

  /** The provider refuses it. It is asked again with the next connection only. */
  void refused(UpstreamError error);
}
