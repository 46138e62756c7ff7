package dev.lasso.subscription;

import dev.lasso.routing.event.ClientFilter;
import java.util.ArrayList;
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
  private final Map<String, Use> byClient = new HashMap<>();
  private long bytes;
  private final Map<String, Boolean> ended =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > ENDED;
        }
      };

  /** Polls remembered of a filter, so that one of them can be taken back when others followed. */
  private static final int POLLS = 8;

  /**
   * A filter as it stands.
   *
   * @param filter as last written, its cursor never going back
   * @param polls the newest polls, the last one last
   * @param owed the next poll tells from here where that is before its cursor; {@link #NOTHING}
   *     where nothing older is owed
   */
  record Held(ClientFilter filter, List<Poll> polls, long owed) {
    private static final long NOTHING = Long.MAX_VALUE;

    Held {
      polls = List.copyOf(polls);
    }

    /** Whether a poll was written already, perhaps by another process. */
    boolean hasSeen(String poll) {
      return !poll.isEmpty() && filter.poll().equals(poll);
    }

    /** The cursor before the last poll: what it told begins there. */
    long lastPollFrom() {
      return polls.isEmpty() || polls.getLast().from() == Poll.UNKNOWN
          ? filter.cursor()
          : polls.getLast().from();
    }

    /** Whether something older than the cursor is to be told. */
    boolean owes() {
      return owed != NOTHING;
    }
  }

  /**
   * A poll as the topic has it.
   *
   * @param from sequence number of the last event told before it; {@link #UNKNOWN} where the topic
   *     begins with it
   */
  record Poll(String name, long from) {
    private static final long UNKNOWN = -1;
  }

  /**
   * What filters take.
   *
   * @param filters how many
   * @param bytes of their criteria
   */
  record Use(int filters, long bytes) {
    private static final Use NONE = new Use(0, 0);

    private Use with(int more, long moreBytes) {
      return new Use(filters + more, bytes + moreBytes);
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
      held.put(id, first(written));
      count(written, 1);
      return new Applied.Known();
    }
    if (written.takenBack()) {
      held.put(id, takenBack(before, written));
      return new Applied.Known();
    }
    return used(before, written);
  }

  /** Where the topic begins, older records having been compacted away. */
  private static Held first(ClientFilter written) {
    boolean told = !written.poll().isEmpty() && !written.takenBack();
    ClientFilter now = written.takenBack() ? unnamed(written) : written;
    return new Held(
        now, told ? List.of(new Poll(written.poll(), Poll.UNKNOWN)) : List.of(), Held.NOTHING);
  }

  private Applied used(Held before, ClientFilter written) {
    ClientFilter known = before.filter();
    long upTo = Math.max(known.cursor(), written.cursor());
    boolean again = before.hasSeen(written.poll());
    boolean poll = !written.poll().isEmpty();
    long from = again ? before.lastPollFrom() : Math.min(known.cursor(), before.owed());
    boolean begun = known.start() == null;
    ClientFilter now =
        known.polled(
            begun ? known.since() : written.since(),
            begun ? null : written.start(),
            upTo,
            Math.max(known.usedAtMs(), written.usedAtMs()),
            written.process(),
            poll ? written.poll() : known.poll());
    held.put(
        written.id(),
        poll
            ? new Held(now, with(before.polls(), written.poll(), from, again), Held.NOTHING)
            : new Held(now, before.polls(), before.owed()));
    return poll ? new Applied.Told(now, from, now.cursor()) : new Applied.Known();
  }

  private static List<Poll> with(List<Poll> polls, String name, long from, boolean again) {
    List<Poll> now = new ArrayList<>(polls);
    if (again) {
      now.removeLast();
    }
    now.add(new Poll(name, from));
    return now.size() > POLLS ? now.subList(1, now.size()) : now;
  }

  /**
   * What a poll was to tell is owed. The cursor stays: another process may be moving it over events
   * that tell nothing.
   */
  private static Held takenBack(Held before, ClientFilter written) {
    ClientFilter known = before.filter();
    List<Poll> polls = new ArrayList<>(before.polls());
    for (Poll poll : before.polls()) {
      if (poll.name().equals(written.poll())) {
        polls.remove(poll);
        // of a poll that came first of all it is not known where it began
        long from = poll.from() == Poll.UNKNOWN ? written.cursor() : poll.from();
        return new Held(
            before.hasSeen(written.poll()) ? unnamed(known) : known,
            polls,
            Math.min(before.owed(), from));
      }
    }
    return before; // it never came, so nothing went before it
  }

  /** As if no poll had been the last: the same one, sent again, is another. */
  private static ClientFilter unnamed(ClientFilter filter) {
    return filter.polled(
        filter.since(), filter.start(), filter.cursor(), filter.usedAtMs(), filter.process(), "");
  }

  /** A filter was taken away. */
  synchronized void end(String id) {
    ended.put(id, true);
    Held gone = held.remove(id);
    if (gone != null) {
      count(gone.filter(), -1);
    }
  }

  private void count(ClientFilter filter, int sign) {
    long more = (long) sign * filter.criteria().length();
    bytes += more;
    byClient.compute(
        filter.client(),
        (_, before) -> {
          Use now = (before == null ? Use.NONE : before).with(sign, more);
          return now.filters() == 0 ? null : now;
        });
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

  /** All filters together. */
  synchronized Use use() {
    return new Use(held.size(), bytes);
  }

  /** Filters of one client. */
  synchronized Use of(String client) {
    return byClient.getOrDefault(client, Use.NONE);
  }

  /** The topic is read anew. */
  synchronized void clear() {
    held.clear();
    byClient.clear();
    bytes = 0;
    ended.clear();
  }
}
