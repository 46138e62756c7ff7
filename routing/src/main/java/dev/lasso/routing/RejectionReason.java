package dev.lasso.routing;

/**
 * Why a channel was left out of a plan. The names are the wire words: plan, metadata, 503 body,
 * decision event and replay print the same one.
 */
public enum RejectionReason {
  /** The provider has no URL for a transport that the request may use. */
  NO_TRANSPORT,
  /** No open WebSocket connection at the moment. */
  WS_DOWN,
  /** The circuit, local or fleet-wide, is open. */
  CIRCUIT_OPEN,
  /** The circuit is half-open and its trial place is taken. */
  HALF_OPEN_BUSY,
  /** A rate-limit deadline is running and the request asked to leave such channels out. */
  RATE_LIMITED,
  /**
   * The instance's optimistic height is too far behind the consensus height, or below the height
   * that the request demands.
   */
  LAGGING,
  /** The request needs archival state, which the provider does not keep. */
  NOT_ARCHIVAL,
  /**
   * Tried already, excluded by the caller, or not on the list of providers that the request or the
   * method's override allows.
   */
  EXCLUDED,
  /**
   * The provider can't serve the method, category, block range or block age, as configured or as
   * learned.
   */
  CAPABILITY,
  /** The instance answers for another chain than the profile says. */
  CHAIN_MISMATCH
}
