package dev.lasso.replay.whatif;

import dev.lasso.replay.whatif.Experience.Share;
import dev.lasso.routing.Channel;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.select.Evidence;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.snapshot.ActiveChain;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws how one request fares along a plan: each attempt succeeds or fails and takes as long as one
 * of its channel and method did at that time; failover, hedge and deadline as the engine has them
 * by default. Owned by one thread.
 */
final class Draw {
  private static final int MOST_ATTEMPTS = 4;
  private static final double ATTEMPT_SHARE = 0.6;
  private static final double MIN_HEDGE_MS = 20;
  private static final int ENOUGH = 20;

  private final Experience experience;

  Draw(Experience experience) {
    this.experience = experience;
  }

  /**
   * How it went.
   *
   * @param answered whether it was answered in time
   * @param tookMs time to the answer or to giving up, without the gateway's own
   * @param tried channels that it went to
   * @param known whether every attempt had enough to be drawn from
   */
  record Fared(boolean answered, double tookMs, List<Channel> tried, boolean known) {}

  private record Attempt(boolean succeeded, double tookMs, boolean known) {}

  Fared along(
      List<Channel> channels,
      RoutingDecision decision,
      @Nullable ActiveChain chain,
      @Nullable Plan plan,
      RandomGenerator random) {
    double deadlineMs = decision.facts().deadlineMs();
    double elapsedMs = 0;
    boolean known = true;
    List<Channel> tried = new ArrayList<>();
    int most = decision.facts().replaySafe() ? Math.min(MOST_ATTEMPTS, channels.size()) : 1;
    for (int i = 0; i < Math.min(most, channels.size()); i++) {
      Channel channel = channels.get(i);
      boolean more = i + 1 < most;
      double limitMs = deadlineMs - elapsedMs;
      if (more) {
        limitMs = Math.min(limitMs, deadlineMs * ATTEMPT_SHARE);
      }
      Attempt attempt = attempt(channel, decision, limitMs, random);
      tried.add(channel);
      known &= attempt.known();
      double hedgeMs = i == 0 && more ? hedgeAfterMs(chain, plan) : -1;
      if (hedgeMs >= 0 && attempt.tookMs() > hedgeMs) {
        Channel second = channels.get(++i);
        tried.add(second);
        Attempt other = attempt(second, decision, deadlineMs - hedgeMs, random);
        known &= other.known();
        double otherEndsMs = hedgeMs + other.tookMs();
        if (attempt.succeeded() || other.succeeded()) {
          double firstMs = attempt.succeeded() ? attempt.tookMs() : Double.MAX_VALUE;
          double secondMs = other.succeeded() ? otherEndsMs : Double.MAX_VALUE;
          return new Fared(true, Math.min(firstMs, secondMs), tried, known);
        }
        elapsedMs = Math.max(attempt.tookMs(), otherEndsMs);
      } else {
        elapsedMs += attempt.tookMs();
        if (attempt.succeeded()) {
          return new Fared(true, elapsedMs, tried, known);
        }
      }
      if (elapsedMs >= deadlineMs) {
        break;
      }
    }
    return new Fared(false, Math.min(elapsedMs, deadlineMs), tried, known);
  }

  /** When a second channel would be asked as well; -1 for never. */
  private static double hedgeAfterMs(@Nullable ActiveChain chain, @Nullable Plan plan) {
    if (chain == null || plan == null || plan.isEmpty()) {
      return -1;
    }
    Hedge hedge = chain.settings().routing().hedge();
    if (!hedge.enabled()) {
      return -1;
    }
    return switch (hedge.after()) {
      case Hedge.After.Fixed(int delayMs) -> delayMs;
      case Hedge.After.UsualLatency _ -> {
        Evidence usual = plan.routes().evidence(plan.channelIndex(0), plan.request().method());
        yield usual == null ? -1 : Math.max(MIN_HEDGE_MS, usual.p95Ms());
      }
    };
  }

  private Attempt attempt(
      Channel channel, RoutingDecision decision, double limitMs, RandomGenerator random) {
    Share share =
        experience.met(
            decision.region(),
            decision.chain(),
            channel,
            decision.facts().method(),
            decision.decidedAtMs(),
            ENOUGH);
    double chance = random.nextDouble();
    double place = random.nextDouble();
    if (share == null) {
      return new Attempt(true, Math.min(limitMs, 100), false);
    }
    boolean known = share.attempts() >= ENOUGH;
    boolean succeeds = chance < share.successRate();
    double tookMs =
        succeeds
            ? share.successes().percentile(place)
            : share.failures().count() == 0 ? limitMs : share.failures().percentile(place);
    return tookMs > limitMs
        ? new Attempt(false, limitMs, known)
        : new Attempt(succeeds, tookMs, known);
  }
}
