package dev.lasso.engine.record;

import dev.lasso.routing.Endpoint;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the attempts that get a record of their own, and has each of them say how many successes
 * at its endpoint went unrecorded before it, so that a reader never takes scattered failures for
 * consecutive ones. Belongs to the recorder's agent thread.
 */
final class Sampling {
  private final long slowMs;
  private final int successesPerSecond;
  private final Map<Endpoint, long[]> unrecorded = new HashMap<>();
  private long second;
  private int successesThisSecond;

  Sampling(long slowMs, int successesPerSecond) {
    this.slowMs = slowMs;
    this.successesPerSecond = successesPerSecond;
  }

  /** The attempt as it is to be recorded, or null when it is not. */
  @Nullable Attempt choose(Attempt attempt) {
    return switch (attempt.outcome()) {
      case AttemptOutcome.Failure _ -> recorded(attempt);
      case AttemptOutcome.Success _ -> {
        if (attempt.latencyMs() >= slowMs || withinBudget(attempt.endedAtMs())) {
          yield recorded(attempt);
        }
        unrecorded(attempt)[0]++;
        yield null;
      }
      case AttemptOutcome.Cancelled _ -> null;
    };
  }

  private boolean withinBudget(long nowMs) {
    long now = nowMs / 1_000;
    if (now != second) {
      second = now;
      successesThisSecond = 0;
    }
    return successesThisSecond++ < successesPerSecond;
  }

  private Attempt recorded(Attempt attempt) {
    long[] count = unrecorded(attempt);
    long before = count[0];
    count[0] = 0;
    return new Attempt(
        attempt.region(),
        attempt.process(),
        attempt.profile(),
        attempt.chain(),
        attempt.channel(),
        attempt.method(),
        attempt.requestId(),
        attempt.endedAtMs(),
        attempt.latencyMs(),
        attempt.outcome(),
        attempt.blockRange(),
        before);
  }

  private long[] unrecorded(Attempt attempt) {
    return unrecorded.computeIfAbsent(attempt.channel().endpoint(), _ -> new long[1]);
  }
}
