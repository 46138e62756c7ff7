package dev.lasso.subscription;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the holders of the filters that match a log, at a cost that follows the matches and not the
 * number of filters. Each filter stands under its addresses together with the topics of its most
 * telling position: a later one, where contracts put account and token ids, before the first, which
 * names the event. A log has one address and one topic at each position, so it looks at ten places
 * at most and meets each filter at most once. Belongs to one thread.
 *
 * @param <H> who holds filters
 */
final class FilterIndex<H> {
  private static final int NO_POSITION = -1;
  private static final String ANY = "";

  private final Map<Place, Set<Held<H>>> places = new HashMap<>();
  private int size;

  private record Place(String address, int position, String topic) {}

  private record Held<H>(LogFilter filter, H holder) {}

  /** Adds a filter; the same filter and holder only once. */
  void add(LogFilter filter, H holder) {
    boolean added = false;
    for (Place place : placesOf(filter)) {
      added |=
          places.computeIfAbsent(place, _ -> new LinkedHashSet<>()).add(new Held<>(filter, holder));
    }
    if (added) {
      size++;
    }
  }

  /** Takes a filter out again. */
  void remove(LogFilter filter, H holder) {
    boolean removed = false;
    for (Place place : placesOf(filter)) {
      Set<Held<H>> held = places.get(place);
      if (held != null) {
        removed |= held.remove(new Held<>(filter, holder));
        if (held.isEmpty()) {
          places.remove(place);
        }
      }
    }
    if (removed) {
      size--;
    }
  }

  /** Filters held. */
  int size() {
    return size;
  }

  /** Calls back for each holder whose filter matches. */
  void match(LogEntry log, Consumer<H> matched) {
    match(log, log.address(), matched);
    match(log, ANY, matched);
  }

  private void match(LogEntry log, String address, Consumer<H> matched) {
    for (int position = NO_POSITION; position < log.topics().size(); position++) {
      String topic = position == NO_POSITION ? ANY : log.topics().get(position);
      Set<Held<H>> held = places.get(new Place(address, position, topic));
      if (held != null) {
        for (Held<H> one : held) {
          if (one.filter().matches(log)) {
            matched.accept(one.holder());
          }
        }
      }
    }
  }

  private static List<Place> placesOf(LogFilter filter) {
    int position = mostTelling(filter);
    Set<String> topics = position == NO_POSITION ? Set.of(ANY) : filter.topics().get(position);
    Set<String> addresses = filter.addresses().isEmpty() ? Set.of(ANY) : filter.addresses();
    List<Place> found = new ArrayList<>(topics.size() * addresses.size());
    for (String address : addresses) {
      for (String topic : topics) {
        found.add(new Place(address, position, topic));
      }
    }
    return found;
  }

  private static int mostTelling(LogFilter filter) {
    int best = NO_POSITION;
    for (int position = 0; position < filter.topics().size(); position++) {
      Set<String> topics = filter.topics().get(position);
      if (!topics.isEmpty() && (best <= 0 || topics.size() < filter.topics().get(best).size())) {
        best = position;
      }
    }
    return best;
  }
}
