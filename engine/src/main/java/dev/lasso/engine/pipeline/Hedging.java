package dev.lasso.engine.pipeline;

import dev.lasso.routing.facts.RpcMethod;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.select.Plan;

/**
 * When one call asks further channels beside one that is slow: after what is usual for provider and
 * method, or a fixed time, as the profile says, within the process's budget. A recovering channel
 * that leads as a trial is followed in any case. Owned by its {@link CallRun}, on its event loop;
 * times in milliseconds.
 */
final class Hedging {
  private static final long NEVER = -1;

  /** The call, as far as its hedges need it. */
  interface Hedged {
    /** Whether everything that was asked so far is still out. */
    boolean waits();

    /** Whether there is another channel to ask. */
    boolean mayTryMore();

    long remainingMs();

    /** Asks the next channel too. */
    void hedge();
  }

  private final RpcEngine engine;
  private final Hedge rule;
  private final boolean followsTrial;
  private final long delayMs;
  private final Hedged call;
  private int made;
  private long timer = NEVER;

  private Hedging(RpcEngine engine, Hedge rule, boolean followsTrial, long delayMs, Hedged call) {
    this.engine = engine;
    this.rule = rule;
    this.followsTrial = followsTrial;
    this.delayMs = delayMs;
    this.call = call;
  }

  /** The hedges of a call that has begun. */
  static Hedging start(
      RpcEngine engine,
      RpcTarget target,
      RpcMethod method,
      Plan plan,
      ChannelOrder order,
      Hedged call) {
    engine.hedges().earn();
    Hedge rule = target.chain().settings().routing().hedge(method.name());
    boolean possible = method.replaySafe() && call.mayTryMore();
    boolean followsTrial = possible && order.leadsWithTrial();
    long delayMs = possible ? delayMs(engine.policy(), rule, plan, order, method) : NEVER;
    if (followsTrial) {
      long followMs = engine.policy().trialFollowMs();
      delayMs = delayMs == NEVER ? followMs : Math.min(delayMs, followMs);
    }
    Hedging hedging = new Hedging(engine, rule, followsTrial, delayMs, call);
    hedging.schedule();
    return hedging;
  }

  private static long delayMs(
      EnginePolicy policy, Hedge rule, Plan plan, ChannelOrder order, RpcMethod method) {
    return policy
        .hedgeAfterMs(
            rule, () -> plan.routes().evidence(plan.channelIndex(order.position(0)), method.name()))
        .orElse(NEVER);
  }

  private void schedule() {
    if (delayMs != NEVER && delayMs < call.remainingMs()) {
      timer = engine.vertx().setTimer(Math.max(1, delayMs), _ -> due());
    }
  }

  private void due() {
    timer = NEVER;
    if (!call.waits() || !call.mayTryMore()) {
      return;
    }
    // the companion of a trial is part of the trial, not an extra
    boolean companion = followsTrial && made == 0;
    if (companion || engine.hedges().spend()) {
      made++;
      call.hedge();
      if (made < rule.max()) {
        schedule();
      }
    } else {
      // who has waited twice as long has more need of a hedge than the next who comes
      schedule();
    }
  }

  /** No more hedges. */
  void stop() {
    if (timer != NEVER) {
      engine.vertx().cancelTimer(timer);
      timer = NEVER;
    }
  }
}
