package dev.lasso.engine.pipeline;

/**
 * Keeps hedges to a share of the requests: each request earns that share of a hedge, up to a small
 * reserve. Owned by one event loop, or by the thread of a replay.
 */
public final class HedgeBudget {
  private final double share;
  private final int reserve;
  private double saved;

  /**
   * An empty budget.
   *
   * @param share hedges that a request earns, 0 to 1
   * @param reserve most hedges that can be saved up
   */
  public HedgeBudget(double share, int reserve) {
    this.share = share;
    this.reserve = reserve;
  }

  /** A request came. */
  public void earn() {
    saved = Math.min(reserve, saved + share);
  }

  /** Whether one hedge may be made; it counts as made then. */
  public boolean spend() {
    if (saved < 1) {
      return false;
    }
    saved -= 1;
    return true;
  }
}
