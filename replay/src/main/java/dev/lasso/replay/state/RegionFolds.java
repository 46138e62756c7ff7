package dev.lasso.replay.state;

import dev.lasso.routing.Region;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.SnapshotRecords.Step;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The snapshot of every region as records come in. Owned by one thread. */
public final class RegionFolds {
  private final SnapshotRecords records;
  private final RecordedInstances instances;
  private final Map<String, SnapshotFold> folds = new TreeMap<>();
  private final Map<String, Step> profiles = new LinkedHashMap<>();

  /**
   * Holds nothing yet.
   *
   * @param instances says what is behind a provider
   */
  public RegionFolds(TopicCatalogue topics, RecordedInstances instances) {
    this.records = new SnapshotRecords(topics);
    this.instances = instances;
  }

  /**
   * Takes in a record of a topic that snapshots are folded from.
   *
   * @return the region whose snapshot it changed, or null when it changed every region's
   * @throws dev.lasso.schemas.UnreadableRecord when this build can't read it
   */
  public @Nullable Region add(RawRecord record) {
    Step step = records.read(record);
    byte[] bytes = record.key();
    String key = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    if (record.topic() == TopicName.PROFILES) {
      profiles.put(key, step);
      folds.values().forEach(step::applyTo);
      return null;
    }
    int end = key.indexOf('|');
    Region region = Region.of(end < 0 ? key : key.substring(0, end));
    step.applyTo(fold(region));
    return region;
  }

  private SnapshotFold fold(Region region) {
    SnapshotFold known = folds.get(region.value());
    if (known != null) {
      return known;
    }
    SnapshotFold fold = new SnapshotFold(region, instances);
    profiles.values().forEach(step -> step.applyTo(fold));
    folds.put(region.value(), fold);
    return fold;
  }

  /** Has profiles resolved anew, after more became known of what is behind their providers. */
  public void resolveAgain() {
    folds.values().forEach(fold -> profiles.values().forEach(step -> step.applyTo(fold)));
  }

  /** The regions that something was heard of. */
  public SortedSet<String> regions() {
    return new TreeSet<>(folds.keySet());
  }

  /** What a process of a region knows now. */
  public RoutingSnapshot snapshot(Region region) {
    return fold(region).snapshot(SnapshotPosition.START);
  }
}
