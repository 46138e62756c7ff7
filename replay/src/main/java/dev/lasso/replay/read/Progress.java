package dev.lasso.replay.read;

/** Told now and then how far reading has come, on the reading thread. */
@FunctionalInterface
public interface Progress {
  /** Nobody wants to know. */
  Progress SILENT = (records, atMs, share) -> {};

  /** A pass begins. */
  default void begins() {}

  /** The pass is over, or was given up. */
  default void ends() {}

  /**
   * Reading has come this far.
   *
   * @param records read so far, all passes together
   * @param atMs timestamp of the last one, milliseconds since the epoch
   * @param share of this pass, 0 to 1
   */
  void reached(long records, long atMs, double share);
}
