package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Output;
import dev.lasso.replay.read.Progress;
import java.time.Instant;

/**
 * Says on standard error how far a long read has come, after some seconds and then now and then,
 * and, when the process is told to stop during a read, how far it got. Belongs to the reading
 * thread.
 */
final class ProgressLine implements Progress {
  private static final long EVERY_NS = 3_000_000_000L;

  private final Output output;
  private final Thread stopped = Thread.ofPlatform().unstarted(this::stopped);
  private final long beganNs = System.nanoTime();
  private long saidNs = beganNs;

  /** What was reached last; read by the thread of the stop. */
  private volatile String reached = "nothing";

  ProgressLine(Output output) {
    this.output = output;
  }

  @Override
  public void begins() {
    try {
      Runtime.getRuntime().addShutdownHook(stopped);
    } catch (IllegalStateException _) {
      // stopping already
    }
  }

  @Override
  public void ends() {
    try {
      Runtime.getRuntime().removeShutdownHook(stopped);
    } catch (IllegalStateException _) {
      // stopping, and said so
    }
  }

  private void stopped() {
    output.note("lasso: stopped; had read " + reached);
  }

  @Override
  public void reached(long records, long atMs, double share) {
    reached = text(records, atMs, share);
    long nowNs = System.nanoTime();
    if (nowNs - saidNs < EVERY_NS || share >= 1) {
      return;
    }
    saidNs = nowNs;
    output.note(
        "lasso: read %s, %,.0f/s; Ctrl-C stops"
            .formatted(reached, records / ((nowNs - beganNs) / 1e9)));
  }

  private static String text(long records, long atMs, double share) {
    return "%,d records, at %s, %.0f %% of this pass"
        .formatted(records, Instant.ofEpochMilli(atMs), 100 * share);
  }
}
