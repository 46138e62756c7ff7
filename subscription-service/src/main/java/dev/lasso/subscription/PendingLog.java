package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Transactions waiting to be mined, as one chain's filters of this process are told of them. Who
 * polls too seldom misses the oldest ones. Thread-safe.
 */
final class PendingLog {
  private static final int MAX_VALUES = 50_000;

  private final Deque<Bytes> values = new ArrayDeque<>();
  private final Map<String, Long> cursors = new HashMap<>();
  private long count;

  /** A transaction was seen, told as JSON. */
  synchronized void add(Bytes value) {
    values.addLast(value);
    count++;
    if (values.size() > MAX_VALUES) {
      values.removeFirst();
    }
  }

  /** What came since the filter was told last; nothing for one that is new here. */
  synchronized List<Bytes> poll(String filter) {
    long from = Math.max(cursors.getOrDefault(filter, count), count - values.size());
    cursors.put(filter, count);
    List<Bytes> news = new ArrayList<>();
    for (Bytes value : (Iterable<Bytes>) values::descendingIterator) {
      if (news.size() >= count - from) {
        break;
      }
      news.add(value);
    }
    return news.reversed();
  }

  /** Forgets all filters but some; true when none is left. */
  synchronized boolean keep(Set<String> filters) {
    cursors.keySet().retainAll(filters);
    return cursors.isEmpty();
  }
}
