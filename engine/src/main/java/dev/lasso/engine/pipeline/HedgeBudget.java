package dev.lasso.engine.pipeline;

/**
 * Keeps hedges to a share of the requests: each request earns that share of a hedge, up to a small
 * reserve. Owned by one event loop.
 */
final class HedgeBudget {
  private static final double RESERVE = 10;

  private final double share;
  private double saved;

  HedgeBudget(double share) {
    this.share = share;
  }

  /** A request came. */
  void earn() {
    saved = Math.min(RESERVE, saved + share);
  }

  /** Whether one hedge may be made; it counts as made then. */
  boolean spend() {
    if (saved < 1) {
      return false;
    }
    saved -= 1;
    return true;
  }
}
