package dev.lasso.engine.pipeline;

import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.RoutingDecision;
import java.util.function.Supplier;

/**
 * Is told what happens on the request path. Called on event loops: must return at once and never
 * throw.
 */
public interface EngineObserver {
  /** An attempt ended. */
  void attempted(Attempt attempt);

  /**
   * A request ended.
   *
   * @param failed whether nobody could serve it
   * @param decision makes the event, if the observer wants it
   */
  void decided(boolean failed, Supplier<RoutingDecision> decision);
}
