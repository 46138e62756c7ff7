package dev.lasso.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Receives the events of subscriptions. Called while the chain is held still, so it must return
 * soon and must not call the node or the chain.
 */
public interface Subscriber {

  /** An event of a subscription. */
  void event(String subscriptionId, JsonNode result);

  /**
   * The node forgot a subscription by a fault.
   *
   * @param closeSocket whether the connection is to end with it
   */
  default void dropped(String subscriptionId, boolean closeSocket) {}
}
