package dev.lasso.simulator;

import dev.lasso.simulator.time.SimClock;

/** A token bucket that holds one second's worth of calls. Thread-safe. */
final class Quota {

  private final int perSecond;
  private final SimClock clock;
  private double tokens;
  private long filledAt;

  /** A quota; 0 per second is none. */
  Quota(int perSecond, SimClock clock) {
    this.perSecond = perSecond;
    this.clock = clock;
    this.tokens = perSecond;
    this.filledAt = clock.millis();
  }

  /** Takes one call out; false if none is left. */
  synchronized boolean take() {
    if (perSecond == 0) {
      return true;
    }
    long now = clock.millis();
    tokens = Math.min(perSecond, tokens + (now - filledAt) * perSecond / 1000.0);
    filledAt = now;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
