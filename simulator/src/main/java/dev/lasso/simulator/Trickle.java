package dev.lasso.simulator;

/** How many whole bytes a slow sender may send at each tick so that the rate comes out right. */
final class Trickle {

  private final double perTick;
  private double saved;

  Trickle(long bytesPerSecond, int tickMillis) {
    this.perTick = bytesPerSecond * tickMillis / 1000.0;
  }

  int tick() {
    saved = Math.min(saved + perTick, Integer.MAX_VALUE);
    int whole = (int) saved;
    saved -= whole;
    return whole;
  }
}
