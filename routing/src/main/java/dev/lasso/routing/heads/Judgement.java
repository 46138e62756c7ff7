package dev.lasso.routing.heads;

import java.util.List;

/**
 * One look at a chain's sources: does its consensus height rise, fall or stay?
 *
 * @param before the consensus so far
 * @param sources fresh instances that are not syncing; at least one
 * @param live those of them whose height rose lately
 * @param atMs now
 */
record Judgement(
    Consensus before,
    List<InstanceHead> sources,
    List<InstanceHead> live,
    Windows windows,
    long atMs,
    HeadsPolicy policy) {
  private static final long LEAST_HOLD_MS = 1_000;
  private static final long NO_CANDIDATE = -1;

  Consensus next() {
    long candidate = candidate();
    if (candidate == NO_CANDIDATE) {
      return stays(0);
    }
    if (candidate > before.height()) {
      return at(candidate, before.established() || nearOrConfirmed(candidate));
    }
    if (candidate == before.height()) {
      return stays(0);
    }
    if (!before.established() || abandoned()) {
      return at(candidate, before.established());
    }
    if (!fallReported()) {
      return stays(0);
    }
    long fallSinceMs = before.fallSinceMs() == 0 ? atMs : before.fallSinceMs();
    boolean shallow = before.height() - candidate <= policy.shallowBlocks();
    double holdMs = shallow ? Math.max(windows.blockTimeMs(), (double) LEAST_HOLD_MS) : 0;
    return (double) (atMs - fallSinceMs) >= holdMs ? at(candidate, true) : stays(fallSinceMs);
  }

  /** The live instances decide, or all when none is live. */
  private List<InstanceHead> deciding() {
    return live.isEmpty() ? sources : live;
  }

  /** The height that the instances speak for, or none when all they show is implausible. */
  private long candidate() {
    List<InstanceHead> deciding = deciding();
    if (deciding.size() >= 3) {
      return Heads.ranked(deciding, InstanceHead::height, 2);
    }
    long reachedByTwo = reachedByTwo();
    long plausible = plausible();
    long highest = NO_CANDIDATE;
    for (InstanceHead head : deciding) {
      if (!before.established() || head.height() <= plausible || uncontradicted(head)) {
        highest = Math.max(highest, head.height());
      }
    }
    return Math.max(highest, reachedByTwo > plausible ? reachedByTwo : NO_CANDIDATE);
  }

  /**
   * An implausible height is believed in the end when nobody is there to confirm or deny it: it
   * held for as long as an instance counts as live, and the only other source, if any, is stuck.
   */
  private boolean uncontradicted(InstanceHead head) {
    boolean alone = sources.size() == 1 || (sources.size() == 2 && live.equals(List.of(head)));
    return alone
        && head.quarantined()
        && (double) (atMs - head.quarantinedSinceMs()) >= windows.liveWithinMs();
  }

  private boolean nearOrConfirmed(long candidate) {
    return candidate <= plausible() || reachedByTwo() >= candidate;
  }

  /** The highest height that the chain can plausibly have grown to. */
  private long plausible() {
    return before.height() + (long) windows.plausibleGrowth(before, atMs, policy);
  }

  private long reachedByTwo() {
    return Heads.ranked(sources, InstanceHead::height, 2);
  }

  /** Whether two sources are near the consensus height. */
  private boolean agreed() {
    return sources.size() >= 2 && reachedByTwo() >= before.height() - policy.growthBlocks();
  }

  /**
   * Whether a rise tells the block time: it does not when it only corrects a guess, nor when one
   * instance runs away from the others.
   */
  boolean measuresBlockTime() {
    return before.established() && (sources.size() == 1 || agreed());
  }

  /** Most deciding instances fell below the height, and no more sources still stand at it. */
  private boolean fallReported() {
    List<InstanceHead> deciding = deciding();
    long fallen = deciding.stream().filter(this::fellBelow).count();
    long standing = sources.stream().filter(this::standsAt).count();
    return 2 * fallen > deciding.size() && fallen >= standing;
  }

  /** One that was never there is behind, which says nothing about the chain. */
  private boolean fellBelow(InstanceHead head) {
    return head.height() < before.height()
        && head.fellFrom() >= before.height() - policy.shallowBlocks();
  }

  private boolean standsAt(InstanceHead head) {
    return head.height() >= before.height() && !head.quarantined();
  }

  private boolean abandoned() {
    return (double) (atMs - before.shownAtMs())
        >= Math.max((double) policy.abandonedMs(), windows.freshWithinMs());
  }

  private Consensus at(long height, boolean established) {
    double growth = (double) (height - before.height());
    double left = windows.plausibleGrowth(before, atMs, policy) - growth;
    double slack = Math.clamp(left, 0, (double) policy.growthBlocks());
    return new Consensus(
        height, atMs, atMs, established, slack, 0, before.safe(), before.finalized());
  }

  private Consensus stays(long fallSinceMs) {
    long shownAtMs = before.shownAtMs();
    for (InstanceHead head : sources) {
      if (standsAt(head)) {
        shownAtMs = Math.max(shownAtMs, head.seenAtMs());
      }
    }
    return new Consensus(
        before.height(),
        before.sinceMs(),
        shownAtMs,
        before.established() || agreed(),
        before.slackBlocks(),
        fallSinceMs,
        before.safe(),
        before.finalized());
  }
}
