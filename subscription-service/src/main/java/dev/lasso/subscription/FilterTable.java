package dev.lasso.subscription;

import dev.lasso.routing.event.ClientFilter;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every filter of the fleet, as the topic {@code filters} says in its order: each process that
 * reads it knows the same. Thread-safe.
 */
final class FilterTable {
  /** Ended filters remembered, so that a poll written at the same time brings none back. */
  private static final int ENDED = 10_000;

  private final Map<String, Held> held = new HashMap<>();
  private final Map<String, Integer> byClient = new HashMap<>();
  private final Map<String, Boolean> ended =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > ENDED;
        }
      };

  /**
   * A filter as it stands.
   *
   * @param filter as last written, its cursor never going back
   * @param lastPollFrom the cursor before the last poll: what it told begins there
   */
  record Held(ClientFilter filter, long lastPollFrom) {
    /** Whether a poll was written already, perhaps by another process. */
    boolean hasSeen(String poll) {
      return !poll.isEmpty() && filter.poll().equals(poll);
    }
  }

  /** What a record did. */
  sealed interface Applied {
    /** The filter is known now, or was used. */
    record Known() implements Applied {}

    /**
     * A poll tells the events between two sequence numbers.
     *
     * @param from the last one told before
     * @param upTo the last one told now
     */
    record Told(ClientFilter filter, long from, long upTo) implements Applied {}

    /** The filter had ended. */
    record Over() implements Applied {}
  }

  /** Takes the next record of the topic. */
  synchronized Applied apply(ClientFilter written) {
    String id = written.id();
    if (ended.containsKey(id)) {
      return new Applied.Over();
    }
    Held before = held.get(id);
    if (before == null) {
      held.put(id, new Held(written, written.cursor()));
      byClient.merge(written.client(), 1, Integer::sum);
      return new Applied.Known();
    }
    ClientFilter known = before.filter();
    long upTo = Math.max(known.cursor(), written.cursor());
    boolean again = before.hasSeen(written.poll());
    boolean poll = !written.poll().isEmpty();
    long from = again ? before.lastPollFrom() : known.cursor();
    boolean begun = known.start() == null;
    ClientFilter now =
        known.polled(
            begun ? known.since() : written.since(),
            begun ? null : written.start(),
            upTo,
            Math.max(known.usedAtMs(), written.usedAtMs()),
            written.process(),
            poll ? written.poll() : known.poll());
    held.put(id, new Held(now, poll ? from : before.lastPollFrom()));
    return poll ? new Applied.Told(now, from, now.cursor()) : new Applied.Known();
  }

  /** A filter was taken away. */
  synchronized void end(String id) {
    ended.put(id, true);
    Held gone = held.remove(id);
    if (gone != null) {
      byClient.computeIfPresent(
          gone.filter().client(), (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /** The filter of an id, or null when there is none. */
  synchronized @Nullable Held find(String id) {
    return held.get(id);
  }

  /** Whether a filter of that id has ended not long ago. */
  synchronized boolean hasEnded(String id) {
    return ended.containsKey(id);
  }

  /** All filters. */
  synchronized Collection<Held> all() {
    return List.copyOf(held.values());
  }

  synchronized int size() {
    return held.size();
  }

  /** Filters of one client. */
  synchronized int of(String client) {
    return byClient.getOrDefault(client, 0);
  }

  /** The topic is read anew. */
  synchronized void clear() {
    held.clear();
    byClient.clear();
    ended.clear();
  }
}
