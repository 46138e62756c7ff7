package dev.lasso.subscription;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest events of one chain's stream, bounded in number and bytes. Belongs to whoever holds
 * it; the events are shared.
 */
final class RecentEvents {
  private final int maxEvents;
  private final long maxBytes;
  private final Deque<StreamEvent> events = new ArrayDeque<>();
  private long bytes;
  private long droppedUpTo;

  /**
   * @param maxBytes of events, roughly; more than this is kept of none but the last
   */
  RecentEvents(int maxEvents, long maxBytes) {
    this.maxEvents = maxEvents;
    this.maxBytes = maxBytes;
  }

  /**
   * Adds the next event; the oldest ones make room. Where events are missing before it, all of them
   * do: nobody goes on across a hole that nothing tells of.
   */
  void keep(StreamEvent event) {
    if (!events.isEmpty() && event.sequence() != sequence() + 1) {
      clear();
      droppedUpTo = event.sequence() - 1;
    }
    events.addLast(event);
    bytes += size(event);
    while (events.size() > 1 && (events.size() > maxEvents || bytes > maxBytes)) {
      StreamEvent oldest = events.removeFirst();
      droppedUpTo = oldest.sequence();
      bytes -= size(oldest);
    }
  }

  private static long size(StreamEvent event) {
    return switch (event) {
      case StreamEvent.Added added -> 256L + added.header().size() + size(added.logs());
      case StreamEvent.Removed removed -> 256L + size(removed.logs());
      case StreamEvent.Hole _, StreamEvent.StateChanged _ -> 256L;
    };
  }

  private static long size(@Nullable List<LogEntry> logs) {
    return logs == null ? 0 : logs.stream().mapToLong(log -> 512L + log.json().size()).sum();
  }

  /** Whether a block is part of the stream already, or the stream is beyond it. */
  boolean isPast(StartingPoint point) {
    for (StreamEvent event : (Iterable<StreamEvent>) events::descendingIterator) {
      if (event instanceof StreamEvent.Added added
          && (point.isItself(added) || point.isBefore(added))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The events that followed a block: null when it is not among the recent ones, or blocks after it
   * are missing.
   */
  @Nullable List<StreamEvent> after(String blockHash) {
    List<StreamEvent> all = List.copyOf(events);
    for (int i = all.size() - 1; i >= 0; i--) {
      switch (all.get(i)) {
        case StreamEvent.Added added when added.hash().equalsIgnoreCase(blockHash) -> {
          return all.subList(i + 1, all.size());
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
    for (StreamEvent event : events) {
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

  /** The events with a higher sequence number, oldest first. */
  List<StreamEvent> afterSequence(long sequence) {
    List<StreamEvent> newer = new ArrayList<>();
    for (StreamEvent event : (Iterable<StreamEvent>) events::descendingIterator) {
      if (event.sequence() <= sequence) {
        break;
      }
      newer.add(event);
    }
    return newer.reversed();
  }

  /** The logs of the block that an event added; null when they, or the event, are not kept. */
  @Nullable List<LogEntry> logsAt(long sequence) {
    for (StreamEvent event : events) {
      if (event.sequence() == sequence && event instanceof StreamEvent.Added added) {
        return added.logs();
      }
    }
    return null;
  }

  /** Position of the newest event; 0 before the first. */
  long position() {
    StreamEvent last = events.peekLast();
    return last == null ? 0 : last.position();
  }

  /** Sequence number of the newest event; 0 before the first. */
  long sequence() {
    StreamEvent last = events.peekLast();
    return last == null ? 0 : last.sequence();
  }

  /** Sequence number of the oldest event kept; 0 before the first. */
  long oldestSequence() {
    StreamEvent first = events.peekFirst();
    return first == null ? 0 : first.sequence();
  }

  /** Sequence number of the newest event that had to make room; 0 when none had to. */
  long droppedUpTo() {
    return droppedUpTo;
  }

  /** Puts an event in the place of the one with the same sequence number, where that is kept. */
  void replace(StreamEvent event) {
    if (event.sequence() < oldestSequence() || event.sequence() > sequence()) {
      return;
    }
    List<StreamEvent> all = new ArrayList<>(events.size());
    for (StreamEvent kept : events) {
      if (kept.sequence() == event.sequence()) {
        bytes += size(event) - size(kept);
        all.add(event);
      } else {
        all.add(kept);
      }
    }
    events.clear();
    events.addAll(all);
  }

  /** Forgets everything. */
  void clear() {
    events.clear();
    bytes = 0;
    droppedUpTo = 0;
  }
}
