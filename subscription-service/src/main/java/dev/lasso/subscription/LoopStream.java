package dev.lasso.subscription;

import dev.lasso.subscription.Subscription.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One chain's stream on one event loop: its recent events, and who is told of the next. Belongs to
 * that event loop; events are shared with the others.
 */
final class LoopStream {
  private final RecentEvents recent;
  private final Flushes flushes;
  private final Set<Subscription> beginning = new LinkedHashSet<>();
  private final Set<Subscription> heads = new LinkedHashSet<>();
  private final Set<Subscription> logs = new LinkedHashSet<>();
  private final FilterIndex<Subscription> byFilter = new FilterIndex<>();

  /**
   * @param flushes of the event loop
   */
  LoopStream(StreamSettings settings, Flushes flushes) {
    this.flushes = flushes;
    this.recent = new RecentEvents(settings.resumable(), settings.resumableBytes());
  }

  /** Takes the next event and tells it. */
  void on(StreamEvent next) {
    StreamEvent event = withKnownLogs(next);
    recent.keep(event);
    List<Subscription> apart = List.copyOf(beginning);
    switch (event) {
      case StreamEvent.Added added -> added(added);
      case StreamEvent.Removed removed -> {
        List<LogEntry> takenBack = removed.logs();
        if (takenBack != null) {
          flushes.together(
              () -> {
                for (LogEntry log : takenBack) {
                  byFilter.match(log, subscription -> subscription.log(log, removed.addedAt()));
                }
              });
        }
      }
      case StreamEvent.Hole(var _, long _, long _, long from, long to, String reason) -> {
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
    flushes.together(
        () -> {
          for (LogEntry log : entries) {
            byFilter.match(log, subscription -> subscription.send(log.json()));
          }
        });
  }

  /** Adds a subscription; it is held until {@link #release}. */
  void add(Subscription subscription) {
    beginning.add(subscription);
  }

  /** Lets a subscription begin with some events, and with what came since it was added. */
  void release(Subscription subscription, List<StreamEvent> first) {
    if (beginning.contains(subscription)) {
      subscription.release(first, this::withKnownLogs);
      settle(subscription);
    }
  }

  /** Keeps logs that were fetched late, so that they can be taken back. */
  void complete(StreamEvent.Added event) {
    recent.replace(event);
  }

  /** A block that was written without its logs may have been told with them nonetheless. */
  private StreamEvent withKnownLogs(StreamEvent event) {
    return event instanceof StreamEvent.Removed removed && removed.logs() == null
        ? removed.takingBack(recent.logsAt(removed.addedSequence()))
        : event;
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

  /** Whether somebody is told. */
  boolean followed() {
    return !heads.isEmpty() || !logs.isEmpty();
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

  /** What was told lately. */
  RecentEvents recent() {
    return recent;
  }

  /** Everything was read anew from the beginning of the topic. */
  void forget() {
    recent.clear();
  }
}
