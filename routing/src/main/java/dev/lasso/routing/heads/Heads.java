package dev.lasso.routing.heads;

import dev.lasso.routing.event.HeadSighting;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The fold of sightings into heights and consensus (routing page, "Consensus height"). Pure; times
 * are milliseconds since the epoch and the caller's: a sighting from the future counts as seen now,
 * so a process with a wrong clock can't make everybody else look stale.
 *
 * <p>The aim is that one stuck, lagging or lying instance changes nothing: with three or more
 * instances a height needs two of them; with fewer, growth must be plausible; a fall needs most of
 * those that stood at the old height.
 */
public final class Heads {
  private Heads() {}

  /** The heads after a sighting. A late or repeated sighting changes nothing. */
  public static ChainHeads evolve(
      ChainHeads heads, HeadSighting sighting, long atMs, HeadsPolicy policy) {
    InstanceHead before = heads.instance(sighting.instance());
    long seenAtMs = Math.min(sighting.seenAtMs(), atMs);
    if (before != null && seenAtMs < before.seenAtMs()) {
      return heads;
    }
    InstanceHead after =
        before == null
            ? firstSeen(sighting, seenAtMs)
            : seen(before, sighting, seenAtMs, Windows.of(heads, policy));
    return judged(heads.with(after), atMs, policy);
  }

  /** The heads once time has passed: instances go stale, stop being live, are forgotten. */
  public static ChainHeads evolve(ChainHeads heads, long atMs, HeadsPolicy policy) {
    List<InstanceHead> kept =
        heads.instances().stream()
            .filter(head -> atMs - head.seenAtMs() < policy.forgottenMs())
            .toList();
    ChainHeads remembered =
        kept.size() == heads.instances().size()
            ? heads
            : new ChainHeads(kept, heads.consensus(), heads.blockTimes());
    return judged(remembered, atMs, policy);
  }

  private static InstanceHead firstSeen(HeadSighting sighting, long seenAtMs) {
    return new InstanceHead(
        sighting.instance(),
        sighting.number(),
        seenAtMs,
        seenAtMs,
        sighting.number(),
        seenAtMs,
        -1,
        sighting.syncing(),
        0,
        sighting.safe(),
        sighting.finalized());
  }

  private static InstanceHead seen(
      InstanceHead before, HeadSighting sighting, long seenAtMs, Windows windows) {
    boolean askedBeforeThat =
        sighting.number() < before.height()
            && (double) seenAtMs - sighting.latencyMs() < (double) before.seenAtMs();
    long height = askedBeforeThat ? before.height() : sighting.number();
    boolean peakIsOver =
        before.quarantined() || seenAtMs - before.peakSeenAtMs() > windows.liveWithinMs();
    boolean rose = height > before.peak();
    boolean newPeak = rose || height == before.peak() || peakIsOver;
    long fellFrom;
    if (height < before.height() && !before.quarantined()) {
      fellFrom = Math.max(before.fellFrom(), before.height());
    } else {
      fellFrom = height >= before.fellFrom() ? -1 : before.fellFrom();
    }
    return new InstanceHead(
        before.instance(),
        height,
        seenAtMs,
        rose ? seenAtMs : before.roseAtMs(),
        newPeak ? height : before.peak(),
        newPeak ? seenAtMs : before.peakSeenAtMs(),
        fellFrom,
        sighting.syncing(),
        before.quarantinedSinceMs(),
        sighting.safe() == null ? before.safe() : sighting.safe(),
        sighting.finalized() == null ? before.finalized() : sighting.finalized());
  }

  private static ChainHeads judged(ChainHeads heads, long atMs, HeadsPolicy policy) {
    Windows general = Windows.of(heads, policy);
    List<InstanceHead> sources = new ArrayList<>();
    List<InstanceHead> live = new ArrayList<>();
    for (InstanceHead head : heads.instances()) {
      if (!head.syncing() && general.fresh(head, atMs)) {
        sources.add(head);
        if (general.live(head, atMs)) {
          live.add(head);
        }
      }
    }
    if (sources.isEmpty()) {
      return heads;
    }
    Windows windows = general.forSources(sources.size(), heads, policy);
    Consensus before = heads.consensus();
    Consensus after;
    BlockTimes blockTimes = heads.blockTimes();
    if (before == null) {
      after = first(sources, atMs, policy);
    } else {
      Judgement judgement = new Judgement(before, sources, live, windows, atMs, policy);
      after = judgement.next();
      if (after.height() > before.height() && judgement.measuresBlockTime()) {
        double blocks = (double) (after.height() - before.height());
        blockTimes = blockTimes.plus((double) (atMs - before.sinceMs()) / blocks);
      }
    }
    Consensus judged = withFinality(after, sources);
    List<InstanceHead> instances = new ArrayList<>(heads.instances().size());
    for (InstanceHead head : heads.instances()) {
      instances.add(
          head.withQuarantine(windows.farAhead(head.height(), judged, atMs, policy), atMs));
    }
    return new ChainHeads(instances, judged, blockTimes);
  }

  private static Consensus first(List<InstanceHead> sources, long atMs, HeadsPolicy policy) {
    long highest = ranked(sources, InstanceHead::height, 1);
    long second = ranked(sources, InstanceHead::height, 2);
    long height = sources.size() >= 3 ? second : highest;
    boolean agreed = sources.size() >= 2 && second >= height - policy.growthBlocks();
    return new Consensus(height, atMs, atMs, agreed, policy.growthBlocks(), 0, null, null);
  }

  private static Consensus withFinality(Consensus consensus, List<InstanceHead> sources) {
    return new Consensus(
        consensus.height(),
        consensus.sinceMs(),
        consensus.shownAtMs(),
        consensus.established(),
        consensus.slackBlocks(),
        consensus.fallSinceMs(),
        finality(consensus.safe(), sources, InstanceHead::safe, consensus.height()),
        finality(consensus.finalized(), sources, InstanceHead::finalized, consensus.height()));
  }

  /** Never falls, unless the consensus falls below it. */
  private static @Nullable Long finality(
      @Nullable Long before,
      List<InstanceHead> sources,
      Function<InstanceHead, @Nullable Long> block,
      long consensusHeight) {
    List<Long> shown = new ArrayList<>();
    for (InstanceHead head : sources) {
      Long number = block.apply(head);
      if (number != null && number <= consensusHeight && !head.quarantined()) {
        shown.add(number);
      }
    }
    Long kept = before != null && before <= consensusHeight ? before : null;
    if (shown.isEmpty()) {
      return kept;
    }
    long best = ranked(shown, Long::longValue, shown.size() >= 3 ? 2 : 1);
    return kept == null ? (Long) best : (Long) Math.max(kept, best);
  }

  /** The highest or second highest; -1 when there are fewer. */
  static <T> long ranked(List<T> all, ToLongFunction<T> number, int rank) {
    long highest = -1;
    long second = -1;
    for (T one : all) {
      long value = number.applyAsLong(one);
      if (value > highest) {
        second = highest;
        highest = value;
      } else if (value > second) {
        second = value;
      }
    }
    return rank == 1 ? highest : second;
  }
}
