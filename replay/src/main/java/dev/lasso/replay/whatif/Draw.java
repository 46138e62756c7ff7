package dev.lasso.replay.whatif;

import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.engine.pipeline.HedgeBudget;
import dev.lasso.replay.whatif.Experience.Share;
import dev.lasso.routing.Channel;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.snapshot.ActiveChain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws how requests fare along plans: each attempt succeeds or fails and takes as long as one of
 * its channel and method did at that time; failover, hedges, their budget and deadlines by the
 * engine's numbers. Requests come in the order in which they were decided. Owned by one thread.
 */
final class Draw {
  private static final int ENOUGH = 20;
  private static final double UNKNOWN_MS = 100;

  private final Experience experience;
  private final EnginePolicy policy;
  private final HedgeBudget hedges;

  /** Draws under the numbers of an engine. */
  Draw(Experience experience, EnginePolicy policy) {
    this.experience = experience;
    this.policy = policy;
    this.hedges = new HedgeBudget(policy.hedgeBudget(), policy.hedgeReserve());
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

  private record Flight(double endsMs, boolean succeeds) {}

  /**
   * One request.
   *
   * @param channels the plan's
   * @param plan what selection decided on the chain, which says what is usual for the first channel
   */
  Fared along(
      List<Channel> channels,
      RoutingDecision decision,
      ActiveChain chain,
      Plan plan,
      RandomGenerator random) {
    hedges.earn();
    Hedge rule = chain.settings().routing().hedge(decision.facts().method());
    return new Request(channels, decision, random)
        .run(hedgeAfterMs(rule, decision, plan), rule.max());
  }

  private double hedgeAfterMs(Hedge rule, RoutingDecision decision, Plan plan) {
    String method = decision.facts().method();
    if (plan.isEmpty() || !decision.facts().replaySafe()) {
      return Double.MAX_VALUE;
    }
    var after =
        policy.hedgeAfterMs(rule, () -> plan.routes().evidence(plan.channelIndex(0), method));
    return after.isEmpty() ? Double.MAX_VALUE : Math.max(1, after.getAsLong());
  }

  /** A request under way; times in milliseconds since it began. */
  private final class Request {
    private final List<Channel> channels;
    private final RoutingDecision decision;
    private final RandomGenerator random;
    private final int most;
    private final List<Channel> tried = new ArrayList<>();
    private final PriorityQueue<Flight> flights =
        new PriorityQueue<>(Comparator.comparingDouble(Flight::endsMs));
    private boolean known = true;

    Request(List<Channel> channels, RoutingDecision decision, RandomGenerator random) {
      this.channels = channels;
      this.decision = decision;
      this.random = random;
      int allowed = decision.facts().replaySafe() ? policy.maxAttempts() : 1;
      this.most = Math.min(allowed, channels.size());
    }

    Fared run(double hedgeAfterMs, int mostHedges) {
      double nowMs = 0;
      double hedgeAtMs = hedgeAfterMs;
      int made = 0;
      start(nowMs);
      while (!flights.isEmpty()) {
        Flight next = flights.element();
        if (hedgeAtMs < next.endsMs() && mayTryMore()) {
          nowMs = hedgeAtMs;
          // one that failed already was followed at once
          boolean waits = flights.size() == tried.size();
          if (waits && hedges.spend()) {
            made++;
            start(nowMs);
          }
          hedgeAtMs = waits && made < mostHedges ? nowMs + hedgeAfterMs : Double.MAX_VALUE;
          continue;
        }
        flights.remove();
        nowMs = next.endsMs();
        if (next.succeeds()) {
          return new Fared(true, nowMs, tried, known);
        }
        start(nowMs);
      }
      return new Fared(false, nowMs, tried, known);
    }

    private boolean mayTryMore() {
      return tried.size() < most;
    }

    private void start(double nowMs) {
      long deadlineMs = decision.facts().deadlineMs();
      long remainingMs = deadlineMs - (long) nowMs;
      if (!mayTryMore() || remainingMs < 1) {
        return;
      }
      Channel channel = channels.get(tried.size());
      tried.add(channel);
      flights.add(flight(channel, nowMs, policy.timeoutMs(deadlineMs, remainingMs, mayTryMore())));
    }

    private Flight flight(Channel channel, double nowMs, long limitMs) {
      Share share = met(decision, channel);
      double chance = random.nextDouble();
      double place = random.nextDouble();
      known &= share != null && share.attempts() >= ENOUGH;
      if (share == null) {
        return new Flight(nowMs + Math.min((double) limitMs, UNKNOWN_MS), true);
      }
      boolean succeeds = chance < share.successRate();
      double tookMs;
      if (succeeds) {
        tookMs = share.successes().percentile(place);
      } else {
        tookMs = share.failures().count() == 0 ? limitMs : share.failures().percentile(place);
      }
      return tookMs > limitMs
          ? new Flight(nowMs + limitMs, false)
          : new Flight(nowMs + tookMs, succeeds);
    }
  }

  /** What attempts of such a request met at a channel; null when nothing is known. */
  @Nullable Share met(RoutingDecision decision, Channel channel) {
    return experience.met(
        decision.region(),
        decision.chain(),
        channel,
        decision.facts().method(),
        decision.decidedAtMs(),
        ENOUGH);
  }
}
