package dev.lasso.routing.select;

import dev.lasso.routing.circuit.CircuitStatus;

/**
 * What the deciding process itself knows of one endpoint. All methods may be called from any thread
 * and read current values.
 */
public interface LocalEndpoint {
  /** Nothing known. */
  LocalEndpoint IDLE =
      new LocalEndpoint() {
        @Override
        public CircuitStatus circuitAt(long nowMs) {
          return CircuitStatus.CLOSED;
        }

        @Override
        public long rateLimitedUntilMs() {
          return 0;
        }

        @Override
        public int trialsInFlight() {
          return 0;
        }

        @Override
        public boolean connected() {
          return true;
        }

        @Override
        public int inFlight() {
          return 0;
        }

        @Override
        public double latencyEwmaMs() {
          return 0;
        }
      };

  /** The process's own circuit; an open period that has passed reads half-open. */
  CircuitStatus circuitAt(long nowMs);

  /** Epoch milliseconds until which the process itself was told to stay away; 0 when it was not. */
  long rateLimitedUntilMs();

  /** Half-open trials under way. */
  int trialsInFlight();

  /** Whether a WebSocket connection is open now. Not read for HTTP. */
  boolean connected();

  /** Requests under way. */
  int inFlight();

  /** Peak-sensitive moving average of latencies in milliseconds; 0 when not known. */
  double latencyEwmaMs();
}
