package dev.lasso.replay.whatif;

import dev.lasso.replay.whatif.Prediction.Outcome;
import dev.lasso.replay.whatif.Prediction.ProviderLoad;
import dev.lasso.replay.whatif.Prediction.Sureness;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How much to believe a prediction, and why no more.
 *
 * @param level the verdict
 * @param reasons what weakens it, a sentence each
 */
record Sure(Sureness level, List<String> reasons) {
  private static final int MANY = 500;
  private static final int FEW = 50;
  private static final double MOSTLY = 0.9;
  private static final double HALF = 0.5;
  private static final double GOOD_FIT = 0.15;
  private static final double MORE_LOAD = 1.5;
  private static final double LOAD_THAT_MATTERS = 0.1;

  static Sure of(
      long decisions,
      long undecidable,
      double known,
      Outcome recorded,
      Outcome modelled,
      List<ProviderLoad> providers) {
    List<String> weak = new ArrayList<>();
    List<String> doubtful = new ArrayList<>();
    if (decisions < FEW) {
      doubtful.add("only " + decisions + " recorded decisions");
    } else if (decisions < MANY) {
      weak.add("only " + decisions + " recorded decisions");
    }
    if (undecidable > 0) {
      (undecidable > decisions ? doubtful : weak)
          .add(undecidable + " decisions could not be taken again");
    }
    if (known < MOSTLY) {
      (known < HALF ? doubtful : weak)
          .add(
              String.format(
                  Locale.ROOT,
                  "%.0f %% of the requests would go where little was measured",
                  100 * (1 - known)));
    }
    double fit =
        recorded.p50().ms() == 0 ? 0 : Math.abs(modelled.p50().ms() / recorded.p50().ms() - 1);
    if (fit > GOOD_FIT) {
      weak.add(
          String.format(Locale.ROOT, "the model misses the recorded median by %.0f %%", 100 * fit));
    }
    for (ProviderLoad load : providers) {
      boolean more =
          load.predictedPeak() > MORE_LOAD * Math.max(load.recordedPeak(), LOAD_THAT_MATTERS)
              && load.predictedPerSecond() > LOAD_THAT_MATTERS;
      if (more) {
        weak.add(
            String.format(
                Locale.ROOT,
                "%s would bear %.1f requests/s at most, it was never seen under more than %.1f",
                load.channel(),
                load.predictedPeak(),
                load.recordedPeak()));
      }
      if (load.rateLimitedFrom() > 0 && load.predictedPeak() > load.rateLimitedFrom()) {
        weak.add(
            String.format(
                Locale.ROOT,
                "%s refused for its rate limit at %.1f requests/s and would get %.1f",
                load.channel(),
                load.rateLimitedFrom(),
                load.predictedPeak()));
      }
    }
    Sureness level =
        !doubtful.isEmpty() ? Sureness.LOW : weak.isEmpty() ? Sureness.HIGH : Sureness.MEDIUM;
    doubtful.addAll(weak);
    return new Sure(level, List.copyOf(doubtful));
  }
}
