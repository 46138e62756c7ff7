package dev.lasso.routing.snapshot;

import dev.lasso.routing.ProfileSlug;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that routing reads, as of one moment. Immutable, swapped as a whole. */
public final class RoutingSnapshot {
  /** A process that has heard nothing yet. */
  public static final RoutingSnapshot EMPTY = new RoutingSnapshot(Map.of(), SnapshotPosition.START);

  private final Map<String, ActiveProfile> profiles;
  private final SnapshotPosition position;

  RoutingSnapshot(Map<String, ActiveProfile> profiles, SnapshotPosition position) {
    this.profiles = Map.copyOf(profiles);
    this.position = position;
  }

  public Collection<ActiveProfile> profiles() {
    return profiles.values();
  }

  public @Nullable ActiveProfile profile(ProfileSlug slug) {
    return profiles.get(slug.value());
  }

  /**
   * A profile by its slug, or null when there is none such.
   *
   * @param slug as in the URL
   */
  public @Nullable ActiveProfile profile(String slug) {
    return profiles.get(slug);
  }

  /** What the snapshot was folded from: its name in decision events. */
  public SnapshotPosition position() {
    return position;
  }
}
