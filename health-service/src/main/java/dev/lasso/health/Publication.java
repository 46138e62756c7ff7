package dev.lasso.health;

import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LearnedLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a change is worth a record: at once when routing or an operator would act on it, otherwise
 * with the next heartbeat, and now and then though nothing changed, so that whoever reads only what
 * is young finds every endpoint. Counters move with every request, so publishing each of their
 * steps would make the topic grow with traffic.
 */
final class Publication {
  private static final long HEARTBEAT_MS = 5_000;

  private Publication() {}

  /**
   * Whether to publish. What a clock that was ahead published counts by how far ahead it was.
   *
   * @param last what was published last, or null when nothing was
   * @param refreshMs how old what was published last may become
   */
  static boolean due(@Nullable InstanceHealth last, InstanceHealth now, long refreshMs) {
    if (last == null || matters(last, now)) {
      return true;
    }
    long sinceMs = Math.abs(now.atMs() - last.atMs());
    if (sinceMs >= refreshMs) {
      return true;
    }
    boolean probedWhileNotClosed =
        now.circuit() != CircuitStatus.CLOSED && now.lastProbeAtMs() != last.lastProbeAtMs();
    return probedWhileNotClosed || (sinceMs >= HEARTBEAT_MS && !sameBesidesTime(last, now));
  }

  private static boolean matters(InstanceHealth last, InstanceHealth now) {
    return last.status() != now.status()
        || last.circuit() != now.circuit()
        || last.openUntilMs() != now.openUntilMs()
        || last.reopenings() != now.reopenings()
        || last.trialSuccesses() != now.trialSuccesses()
        || last.rateLimitedUntilMs() != now.rateLimitedUntilMs()
        || !java.util.Objects.equals(last.chainIdSeen(), now.chainIdSeen())
        || !sameLimits(last.learned(), now.learned());
  }

  /** Limits are refreshed whenever they are met again; only new and ended ones matter. */
  private static boolean sameLimits(List<LearnedLimit> last, List<LearnedLimit> now) {
    return last.size() == now.size()
        && now.stream()
            .allMatch(
                limit ->
                    last.stream()
                        .anyMatch(
                            other ->
                                other.method().equals(limit.method())
                                    && other.maxBlockRange() == limit.maxBlockRange()));
  }

  private static boolean sameBesidesTime(InstanceHealth last, InstanceHealth now) {
    return last.consecutiveFailures() == now.consecutiveFailures()
        && last.consecutiveSuccesses() == now.consecutiveSuccesses()
        && last.lastProbeAtMs() == now.lastProbeAtMs()
        && last.lastErrorAtMs() == now.lastErrorAtMs()
        && last.rateLimitRepeats() == now.rateLimitRepeats()
        && last.learned().equals(now.learned());
  }
}
