package dev.lasso.engine.upstream;

/** A call under way. */
@FunctionalInterface
public interface UpstreamCall {
  /**
   * Gives the call up and frees what it holds: nobody waits for its answer any more, and a late one
   * reaches nobody. Without effect once the outcome was given, except that a stream ends. To be
   * called on the event loop that started the call.
   */
  void cancel();
}
