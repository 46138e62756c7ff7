package dev.lasso.engine.view;

import dev.lasso.routing.event.Presence;
import dev.lasso.schemas.PresenceKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the presence topic says, and how long ago this process read each heartbeat. One thread
 * tells; any thread asks.
 */
final class KnownProcesses {
  private final long goneAfterMs;
  private final long forgottenAfterNs;
  private final Map<PresenceKey, Heard> known = new HashMap<>();
  private volatile List<Heard> latest = List.of();
  private volatile @Nullable Silence silence;
  private long heardAtMs = Long.MAX_VALUE;
  private volatile long heardAtNs;

  /**
   * Knows nobody.
   *
   * @param goneAfterMs milliseconds after its last heartbeat when a process counts as gone
   * @param forgottenAfterMs milliseconds after that heartbeat was read when it is to be forgotten
   */
  KnownProcesses(long goneAfterMs, long forgottenAfterMs) {
    this.goneAfterMs = goneAfterMs;
    this.forgottenAfterNs = forgottenAfterMs * 1_000_000;
  }

  private record Heard(PresenceKey key, Presence presence, long atMs, long atNs) {}

  /** A time in which nobody was heard of, not even this process: Kafka was away. */
  private record Silence(long beganAtMs, long endedAtMs) {}

  /**
   * A heartbeat of a batch was read.
   *
   * @param atMs when it was made, by this process's clock
   */
  void read(PresenceKey key, Presence presence, long atMs, long nowNs) {
    known.put(key, new Heard(key, presence, atMs, nowNs));
  }

  /** A farewell was read. */
  void leave(PresenceKey key) {
    known.remove(key);
  }

  /** All of a batch was read. */
  void heard(long nowMs, long nowNs) {
    if (nowMs - goneAfterMs > heardAtMs) {
      silence = new Silence(heardAtMs, nowMs);
    }
    heardAtMs = nowMs;
    heardAtNs = nowNs;
    latest = List.copyOf(known.values());
  }

  /** The topic begins anew. */
  void clear() {
    known.clear();
    latest = List.of();
  }

  /**
   * The last heartbeat of every process alive.
   *
   * @param awaySinceMs since when the topic can't be read, or null when it can
   */
  List<Presence> alive(long nowMs, @Nullable Long awaySinceMs) {
    long asOfMs = Math.min(nowMs, knownUntilMs(nowMs, awaySinceMs));
    return latest.stream()
        .filter(heard -> asOfMs - heard.atMs() < goneAfterMs)
        .map(Heard::presence)
        .toList();
  }

  /**
   * Those that have not been heard of for so long that nobody need know of them any more. Measured
   * from when this process read their last heartbeat, by a clock that does not jump; none while
   * others may have been silent because Kafka was away or this process was stopped.
   *
   * @param awaySinceMs since when the topic can't be read, or null when it can
   */
  List<PresenceKey> forgotten(long nowMs, long nowNs, @Nullable Long awaySinceMs) {
    if (knownUntilMs(nowMs, awaySinceMs) != Long.MAX_VALUE
        || nowNs - heardAtNs > goneAfterMs * 1_000_000) {
      return List.of();
    }
    return latest.stream()
        .filter(heard -> nowNs - heard.atNs() > forgottenAfterNs)
        .map(Heard::key)
        .toList();
  }

  private long knownUntilMs(long nowMs, @Nullable Long awaySinceMs) {
    if (awaySinceMs != null) {
      return awaySinceMs;
    }
    Silence last = silence;
    return last != null && nowMs - last.endedAtMs() < goneAfterMs
        ? last.beganAtMs()
        : Long.MAX_VALUE;
  }
}
