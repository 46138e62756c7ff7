package dev.lasso.replay.state;

import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.read.TopicEvents;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.UnreadableRecord;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the processes of each region knew at a moment. */
public final class StateAt {
  /** How far back decisions are read to learn what instances providers stand for. */
  private static final long NAMES_FROM_MS = 600_000;

  private StateAt() {}

  /**
   * Folds the snapshot of every region.
   *
   * @param atMs the moment, milliseconds since the epoch
   * @param environment resolves URLs of profiles in live topics
   * @return by region
   */
  public static Map<Region, RoutingSnapshot> read(
      Recording recording, long atMs, Environment environment) {
    RecordedInstances instances = new RecordedInstances(environment);
    RegionFolds folds = new RegionFolds(recording.topics(), instances);
    Map<TopicName, Span> spans = Recording.spans(SnapshotRecords.SOURCES, Span.until(atMs));
    spans.put(TopicName.ROUTING_DECISIONS, Span.between(atMs - NAMES_FROM_MS, atMs));
    TopicEvents names =
        new TopicEvents() {
          @Override
          public void decision(RawRecord record, RoutingDecision decision) {
            decision
                .candidates()
                .forEach(
                    candidate ->
                        instances.saw(decision.profile(), decision.chain(), candidate.channel()));
          }
        };
    recording.readRaw(
        spans,
        record -> {
          if (record.topic() == TopicName.ROUTING_DECISIONS) {
            recording.dispatch(record, names);
            return;
          }
          try {
            folds.add(record);
          } catch (UnreadableRecord e) {
            recording.notices().unreadable(record, e);
          }
        });
    folds.resolveAgain();
    Map<Region, RoutingSnapshot> snapshots = new LinkedHashMap<>();
    for (String name : folds.regions()) {
      Region region = Region.of(name);
      snapshots.put(region, folds.snapshot(region));
    }
    return snapshots;
  }
}
