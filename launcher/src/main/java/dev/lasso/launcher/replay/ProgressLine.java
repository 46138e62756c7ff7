package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Output;
import dev.lasso.replay.read.Progress;
import java.time.Instant;

/**
 * Says on standard error how far a long read has come, after some seconds and then now and then.
 */
final class ProgressLine implements Progress {
  private static final long EVERY_NS = 3_000_000_000L;

  private final Output output;
  private final long beganNs = System.nanoTime();
  private long saidNs = beganNs;

  ProgressLine(Output output) {
    this.output = output;
  }

  @Override
  public void reached(long records, long atMs, double share) {
    long nowNs = System.nanoTime();
    if (nowNs - saidNs < EVERY_NS || share >= 1) {
      return;
    }
    saidNs = nowNs;
    output.note(
        "lasso: read %,d records (%,.0f/s), at %s, %.0f %% of this pass; Ctrl-C stops"
            .formatted(
                records,
                records / ((nowNs - beganNs) / 1e9),
                Instant.ofEpochMilli(atMs),
                100 * share));
  }
}
