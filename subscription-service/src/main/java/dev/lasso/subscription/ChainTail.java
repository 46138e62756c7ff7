package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.event.ClientFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One chain's recent events, from which filters are told. Shared by the process: thread-safe. */
final class ChainTail {
  private final RecentEvents recent;

  ChainTail(FilterSettings settings) {
    this.recent = new RecentEvents(settings.maxEvents(), settings.maxEventBytes());
  }

  /**
   * What a filter has not been told yet.
   *
   * @param events after its cursor, oldest first
   * @param since events with a higher sequence number concern it
   * @param start set where that is not known yet
   */
  record News(List<StreamEvent> events, long since, ClientFilter.@Nullable Start start) {
    News {
      events = List.copyOf(events);
    }

    News upTo(long sequence) {
      return new News(
          events.stream().filter(event -> event.sequence() <= sequence).toList(), since, start);
    }
  }

  /**
   * Takes the next event.
   *
   * @return false when the stream began anew: filters can't be told on
   */
  synchronized boolean on(StreamEvent event) {
    boolean anew = event.sequence() <= recent.sequence();
    if (anew) {
      recent.clear();
    }
    recent.keep(event);
    return !anew;
  }

  /** Sequence number of the newest event; 0 before the first. */
  synchronized long sequence() {
    return recent.sequence();
  }

  /** Whether the stream has a block already or is past it. */
  synchronized boolean isPast(StartingPoint point) {
    return recent.isPast(point);
  }

  /** What follows a cursor, or null when not all of it is kept. */
  synchronized @Nullable News news(ClientFilter filter, long cursor) {
    boolean begun = filter.start() == null;
    long oldest = recent.oldestSequence();
    if (begun ? oldest > cursor + 1 : recent.droppedUpTo() > filter.since()) {
      return null;
    }
    List<StreamEvent> events = recent.afterSequence(cursor);
    return begun ? new News(events, filter.since(), null) : beginning(events, filter);
  }

  /** Passes over what was before the beginning. */
  private static News beginning(List<StreamEvent> events, ClientFilter filter) {
    long since = filter.since();
    ClientFilter.Start start = filter.start();
    if (start == null) {
      return new News(events, since, null);
    }
    StartingPoint point = new StartingPoint(start.number(), start.hash(), filter.createdAtMs());
    for (StreamEvent event : events) {
      if (event instanceof StreamEvent.Added added) {
        boolean itself = point.isItself(added);
        if (itself || point.isBefore(added)) {
          return new News(
              events, itself ? event.sequence() : Math.max(since, event.sequence() - 1), null);
        }
      }
    }
    return new News(List.of(), since, start);
  }

  /** Keeps logs that were fetched late. */
  synchronized void complete(StreamEvent.Added event) {
    recent.replace(event);
  }

  /** What a filter tells of some events, each a JSON value. */
  synchronized List<Bytes> told(
      ClientFilter.Kind kind,
      @Nullable FilterCriteria criteria,
      long since,
      List<StreamEvent> events) {
    List<Bytes> values = new ArrayList<>();
    for (StreamEvent event : events) {
      switch (event) {
        case StreamEvent.Added added when added.sequence() > since -> {
          if (kind == ClientFilter.Kind.BLOCKS) {
            values.add(
                Bytes.copyOf(("\"" + added.hash() + "\"").getBytes(StandardCharsets.US_ASCII)));
          } else {
            add(values, added.logs(), criteria, added.number());
          }
        }
        case StreamEvent.Removed removed
            when kind == ClientFilter.Kind.LOGS && removed.addedSequence() > since ->
            add(values, takenBack(removed), criteria, removed.number());
        case StreamEvent.Added _,
            StreamEvent.Removed _,
            StreamEvent.Hole _,
            StreamEvent.StateChanged _ -> {}
      }
    }
    return values;
  }

  private @Nullable List<LogEntry> takenBack(StreamEvent.Removed removed) {
    if (removed.logs() != null) {
      return removed.logs();
    }
    return ChainFeed.takenBack(recent.logsAt(removed.addedSequence()));
  }

  private static void add(
      List<Bytes> values,
      @Nullable List<LogEntry> logs,
      @Nullable FilterCriteria criteria,
      long number) {
    if (logs != null && criteria != null) {
      for (LogEntry log : logs) {
        if (criteria.matches(log, number)) {
          values.add(log.json());
        }
      }
    }
  }

  /** The topic is read anew. */
  synchronized void clear() {
    recent.clear();
  }
}
