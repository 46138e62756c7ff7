package dev.lasso.simulator.fault;

/** How a call reaches a provider. */
public enum Transport {
  /** One HTTP request. */
  HTTP,
  /** A message on a WebSocket. */
  WS
}
