package dev.lasso.subscription;

import dev.lasso.routing.event.ClientFilter;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides which filters nobody has polled for too long. The topic tells of polls, those of this
 * process are known besides. While the topic can't be read nobody hears of the others' polls, so
 * nothing is over then, nor until those who poll have had as long as a filter lives to be heard of
 * again. Thread-safe.
 */
final class FilterExpiry {
  private final long expiryMs;
  private final String process;
  private final Map<String, Long> polledMs = new ConcurrentHashMap<>();
  private final Map<String, Long> endedMs = new ConcurrentHashMap<>();
  private volatile boolean blind = true;
  private volatile long blindMs;

  /**
   * @param process this one
   * @param nowMs the topic has not been read before
   */
  FilterExpiry(Duration expiry, String process, long nowMs) {
    this.expiryMs = expiry.toMillis();
    this.process = process;
    this.blindMs = nowMs;
  }

  /** A filter is polled here. */
  void polled(String id, long nowMs) {
    polledMs.merge(id, nowMs, Math::max);
  }

  /** Says, often, whether everything written to the topic is read. */
  void topic(boolean current, long nowMs) {
    if (!current) {
      blindMs = nowMs;
    }
    blind = !current;
  }

  /** Whether a filter is no more. */
  boolean isOver(ClientFilter filter, long nowMs) {
    return unusedMs(filter, nowMs) > expiryMs;
  }

  /**
   * Whether this process is to write that a filter is no more. A poll may be on its way elsewhere;
   * and one process is enough, unless that is gone.
   */
  boolean isToBeEnded(ClientFilter filter, long nowMs) {
    int grace = filter.process().equals(process) ? 2 : 3;
    Long ended = endedMs.get(filter.id());
    return unusedMs(filter, nowMs) > grace * expiryMs
        && (ended == null || nowMs - ended > expiryMs);
  }

  /** It was written, and is not written again before long. */
  void ended(String id, long nowMs) {
    endedMs.put(id, nowMs);
  }

  /** Forgets all filters but these. */
  void keep(Set<String> living) {
    polledMs.keySet().retainAll(living);
    endedMs.keySet().retainAll(living);
  }

  /** How long nobody has polled a filter, as far as that is known; 0 while it can't be known. */
  private long unusedMs(ClientFilter filter, long nowMs) {
    if (blind || nowMs - blindMs <= expiryMs) {
      return 0;
    }
    return nowMs - Math.max(filter.usedAtMs(), polledMs.getOrDefault(filter.id(), 0L));
  }
}
