package dev.lasso.engine.pipeline;

/** A call under way. */
@FunctionalInterface
public interface RunningCall {
  /**
   * The caller went away: everything in flight for it is given up, its sink hears no more. To be
   * called on the event loop of the call.
   */
  void cancel();
}
