package dev.lasso.subscription;

import dev.lasso.subscription.Subscription.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One chain's stream on one event loop: its recent events, and who is told of the next. Belongs to
 * that event loop; events are shared with the others.
 */
final class LoopStream {
  /** Recent events kept for those who resume. */
  private static final int MAX_EVENTS = 1_024;

  /** Bytes of recent events, roughly; more than this is kept of none but the last. */
  private static final long MAX_BYTES = 64L << 20;

  private final Deque<StreamEvent> recent = new ArrayDeque<>();
  private final Set<Subscription> beginning = new LinkedHashSet<>();
  private final Set<Subscription> heads = new LinkedHashSet<>();
  private final Set<Subscription> logs = new LinkedHashSet<>();
  private final FilterIndex<Subscription> byFilter = new FilterIndex<>();
  private long recentBytes;

  /** Takes the next event and tells it. */
  void on(StreamEvent event) {
    keep(event);
    List<Subscription> apart = List.copyOf(beginning);
    switch (event) {
      case StreamEvent.Added added -> added(added);
      case StreamEvent.Removed removed -> {
        List<LogEntry> takenBack = removed.logs();
        if (takenBack != null) {
          for (LogEntry log : takenBack) {
            byFilter.match(log, subscription -> subscription.log(log, removed.addedAt()));
          }
        }
      }
      case StreamEvent.Hole(var _, long _, long from, long to, String reason) -> {
        List.copyOf(heads).forEach(subscription -> subscription.hole(from, to, reason));
        List.copyOf(logs).forEach(subscription -> subscription.hole(from, to, reason));
      }
      case StreamEvent.StateChanged _ -> {}
    }
    for (Subscription subscription : apart) {
      subscription.on(event);
      settle(subscription);
    }
  }

  private void added(StreamEvent.Added added) {
    for (Subscription subscription : List.copyOf(heads)) {
      subscription.send(added.header());
    }
    List<LogEntry> entries = added.logs();
    if (entries == null) {
      for (Subscription subscription : List.copyOf(logs)) {
        subscription.hole(added.number(), added.number(), "logs could not be fetched");
      }
      return;
    }
    for (LogEntry log : entries) {
      byFilter.match(log, subscription -> subscription.send(log.json()));
    }
  }

  private void keep(StreamEvent event) {
    recent.addLast(event);
    recentBytes += size(event);
    while (recent.size() > 1 && (recent.size() > MAX_EVENTS || recentBytes > MAX_BYTES)) {
      recentBytes -= size(recent.removeFirst());
    }
  }

  private static long size(StreamEvent event) {
    if (!(event instanceof StreamEvent.Added added)) {
      return 256;
    }
    long bytes = 256L + added.header().size();
    List<LogEntry> entries = added.logs();
    if (entries != null) {
      for (LogEntry log : entries) {
        bytes += 512 + log.json().size();
      }
    }
    return bytes;
  }

  /** Whether a block is part of the stream already, or the stream is beyond its height. */
  boolean isPast(long number, String hash) {
    for (StreamEvent event : (Iterable<StreamEvent>) recent::descendingIterator) {
      if (event instanceof StreamEvent.Added added
          && (added.hash().equals(hash) || added.number() > number)) {
        return true;
      }
    }
    return false;
  }

  /** Adds a subscription; it is held until {@link #release}. */
  void add(Subscription subscription) {
    beginning.add(subscription);
  }

  /** Lets a subscription begin with some events, and with what came since it was added. */
  void release(Subscription subscription, List<StreamEvent> first) {
    if (beginning.contains(subscription)) {
      subscription.release(first);
      settle(subscription);
    }
  }

  private void settle(Subscription subscription) {
    if (subscription.live() && beginning.remove(subscription)) {
      switch (subscription.kind()) {
        case Kind.Heads _ -> heads.add(subscription);
        case Kind.Logs(LogFilter filter, boolean _) -> {
          logs.add(subscription);
          byFilter.add(filter, subscription);
        }
      }
    }
  }

  /** Takes a subscription out; nothing is told to it afterwards. */
  void remove(Subscription subscription) {
    beginning.remove(subscription);
    heads.remove(subscription);
    if (subscription.kind() instanceof Kind.Logs(LogFilter filter, boolean _)
        && logs.remove(subscription)) {
      byFilter.remove(filter, subscription);
    }
  }

  /**
   * The events that followed a block: null when it is not among the recent ones, or blocks after it
   * are missing.
   */
  @Nullable List<StreamEvent> after(String blockHash) {
    List<StreamEvent> events = List.copyOf(recent);
    for (int i = events.size() - 1; i >= 0; i--) {
      switch (events.get(i)) {
        case StreamEvent.Added added when added.hash().equalsIgnoreCase(blockHash) -> {
          return events.subList(i + 1, events.size());
        }
        case StreamEvent.Hole _ -> {
          return null;
        }
        case StreamEvent.Added _, StreamEvent.Removed _, StreamEvent.StateChanged _ -> {}
      }
    }
    return null;
  }

  /** The canonical blocks from a height on: null when not all of them are among the recent ones. */
  @Nullable List<StreamEvent> from(long number) {
    List<StreamEvent> canonical = new ArrayList<>();
    for (StreamEvent event : recent) {
      switch (event) {
        case StreamEvent.Added added -> canonical.add(added);
        case StreamEvent.Removed removed -> {
          if (!canonical.isEmpty()
              && canonical.getLast() instanceof StreamEvent.Added last
              && last.hash().equals(removed.hash())) {
            canonical.removeLast();
          }
        }
        case StreamEvent.Hole _ -> canonical.clear();
        case StreamEvent.StateChanged _ -> {}
      }
    }
    if (canonical.isEmpty()
        || !(canonical.getFirst() instanceof StreamEvent.Added first)
        || first.number() > number) {
      return null;
    }
    return canonical.stream()
        .filter(event -> event instanceof StreamEvent.Added added && added.number() >= number)
        .toList();
  }

  /** Position of the newest event; 0 before the first. */
  long position() {
    StreamEvent last = recent.peekLast();
    return last == null ? 0 : last.position();
  }

  /** Everything was read anew from the beginning of the topic. */
  void forget() {
    recent.clear();
    recentBytes = 0;
  }
}
