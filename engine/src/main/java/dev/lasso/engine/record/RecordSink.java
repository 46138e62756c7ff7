package dev.lasso.engine.record;

import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.RoutingDecision;

/** Where records go. Called by the recorder's agent thread only. */
public interface RecordSink extends AutoCloseable {
  /** Is called once, before the first record. May wait for a short time. */
  default void prepare() {}

  /** Hands a record over; false when it is lost. May wait for a short time. */
  boolean send(Attempt attempt);

  /** Hands a record over; false when it is lost. May wait for a short time. */
  boolean send(LatencyDigest digest);

  /** Hands a record over; false when it is lost. May wait for a short time. */
  boolean send(RoutingDecision decision);

  /** Waits, within limits, until what was handed over has left. */
  @Override
  void close();
}
