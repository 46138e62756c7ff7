package dev.lasso.replay.decide;

import dev.lasso.replay.decide.StateLog.FoldCursor;
import dev.lasso.replay.state.RecordedInstances;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Folds the snapshots that decisions were taken from. A few folds of each region are kept where
 * they are, so that the next decision needs only what was written since; one that lies before all
 * of them is folded anew. Owned by one thread.
 */
final class Snapshots {
  private static final int FOLDS_PER_REGION = 6;

  private final Environment environment;
  private final StateLog log;
  private final Map<Region, ArrayDeque<Kept>> folds = new HashMap<>();

  private record Kept(FoldCursor cursor, RecordedInstances instances) {}

  Snapshots(Environment environment, StateLog log) {
    this.environment = environment;
    this.log = log;
  }

  /** A record changes the state of those who read it. */
  void add(RawRecord record, Step step) {
    List<FoldCursor> cursors = new ArrayList<>();
    folds.values().forEach(kept -> kept.forEach(one -> cursors.add(one.cursor())));
    log.add(record, step, cursors);
  }

  /**
   * The snapshot that a decision was taken from.
   *
   * @throws IllegalStateException when it is {@linkplain StateLog#lost lost}
   */
  RoutingSnapshot of(RoutingDecision decision, SnapshotPosition position) {
    Kept kept = at(decision.region(), position);
    log.advance(kept.cursor(), position);
    SnapshotFold fold = kept.cursor().fold();
    ProfileSlug slug = decision.profile();
    ChainId chain = decision.chain();
    List<Channel> channels =
        decision.candidates().stream().map(RoutingDecision.Candidate::channel).toList();
    if (kept.instances().decidedOver(slug, chain, channels)) {
      ActiveProfile profile = fold.snapshot(position).profile(slug);
      if (profile != null) {
        fold.apply(profile.profile());
      }
    }
    return fold.snapshot(position);
  }

  private Kept at(Region region, SnapshotPosition position) {
    ArrayDeque<Kept> kept = folds.computeIfAbsent(region, _ -> new ArrayDeque<>());
    for (Kept candidate : kept) {
      if (log.notBeyond(candidate.cursor(), position)) {
        kept.remove(candidate);
        kept.addFirst(candidate);
        return candidate;
      }
    }
    String lost = log.lost(position);
    if (lost != null) {
      throw new IllegalStateException(lost);
    }
    RecordedInstances instances = new RecordedInstances(environment);
    Kept fresh = new Kept(new FoldCursor(new SnapshotFold(region, instances)), instances);
    log.begin(fresh.cursor());
    kept.addFirst(fresh);
    if (kept.size() > FOLDS_PER_REGION) {
      kept.removeLast();
    }
    return fresh;
  }
}
