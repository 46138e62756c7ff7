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

  private final int maxBytes;
  private final Deque<Bytes> values = new ArrayDeque<>();
  private final Map<String, Long> cursors = new HashMap<>();
  private long count;
  private long bytes;

  /**
   * @param maxBytes what is kept at most, though always the newest
   */
  PendingLog(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** A transaction was seen, told as JSON. */
  synchronized void add(Bytes value) {
    values.addLast(value);
    count++;
    bytes += value.size();
    while (values.size() > MAX_VALUES || (bytes > maxBytes && values.size() > 1)) {
      bytes -= values.removeFirst().size();
    }
  }

  /**
   * What came since the filter was told last; nothing for one that is new here.
   *
   * @param maxBytes what is told at most, though at least one; the rest comes with the next poll
   */
  synchronized List<Bytes> poll(String filter, int maxBytes) {
    long from = Math.max(cursors.getOrDefault(filter, count), count - values.size());
    List<Bytes> news = since(from);
    int told = 0;
    long toldBytes = 0;
    for (Bytes value : news) {
      toldBytes += value.size() + 1;
      if (told > 0 && toldBytes > maxBytes) {
        break;
      }
      told++;
    }
    cursors.put(filter, from + told);
    return List.copyOf(news.subList(0, told));
  }

  private List<Bytes> since(long from) {
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
