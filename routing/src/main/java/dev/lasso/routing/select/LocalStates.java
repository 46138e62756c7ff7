package dev.lasso.routing.select;

import dev.lasso.routing.circuit.CircuitStatus;
import java.util.Arrays;

/**
 * The local state of every channel of a chain, read once at the start of a decision so that the
 * whole decision sees one moment. Reused by its {@link Selector}; a {@link #copy} is immutable.
 */
final class LocalStates {
  private CircuitStatus[] circuits = new CircuitStatus[0];
  private long[] rateLimitedUntilMs = new long[0];
  private int[] trialsInFlight = new int[0];
  private boolean[] connected = new boolean[0];
  private int[] inFlight = new int[0];
  private double[] latencyEwmaMs = new double[0];
  private int size;
  private boolean notable;

  /** Reads the state of all channels of the chain. */
  void read(ChainRoutes routes, LocalView local, long nowMs) {
    size = routes.size();
    notable = false;
    if (circuits.length < size) {
      circuits = new CircuitStatus[size];
      rateLimitedUntilMs = new long[size];
      trialsInFlight = new int[size];
      connected = new boolean[size];
      inFlight = new int[size];
      latencyEwmaMs = new double[size];
    }
    for (int i = 0; i < size; i++) {
      LocalEndpoint endpoint = local.endpoint(routes.channel(i).endpoint());
      circuits[i] = endpoint.circuitAt(nowMs);
      rateLimitedUntilMs[i] = endpoint.rateLimitedUntilMs();
      trialsInFlight[i] = endpoint.trialsInFlight();
      connected[i] = endpoint.connected();
      inFlight[i] = endpoint.inFlight();
      latencyEwmaMs[i] = endpoint.latencyEwmaMs();
      notable |=
          circuits[i] != CircuitStatus.CLOSED
              || rateLimitedUntilMs[i] > nowMs
              || trialsInFlight[i] != 0
              || !connected[i];
    }
  }

  /** Whether anything but load differs from a process that knows nothing. */
  boolean notable() {
    return notable;
  }

  LocalStates copy() {
    LocalStates copy = new LocalStates();
    copy.circuits = Arrays.copyOf(circuits, size);
    copy.rateLimitedUntilMs = Arrays.copyOf(rateLimitedUntilMs, size);
    copy.trialsInFlight = Arrays.copyOf(trialsInFlight, size);
    copy.connected = Arrays.copyOf(connected, size);
    copy.inFlight = Arrays.copyOf(inFlight, size);
    copy.latencyEwmaMs = Arrays.copyOf(latencyEwmaMs, size);
    copy.size = size;
    copy.notable = notable;
    return copy;
  }

  CircuitStatus circuit(int channel) {
    return circuits[channel];
  }

  long rateLimitedUntilMs(int channel) {
    return rateLimitedUntilMs[channel];
  }

  int trialsInFlight(int channel) {
    return trialsInFlight[channel];
  }

  boolean connected(int channel) {
    return connected[channel];
  }

  int inFlight(int channel) {
    return inFlight[channel];
  }

  double latencyEwmaMs(int channel) {
    return latencyEwmaMs[channel];
  }
}
