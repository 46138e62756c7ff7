package dev.lasso.replay.timeline;

import dev.lasso.routing.event.Presence;
import dev.lasso.schemas.PresenceKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops of processes, those that fell silent, and what work changed hands, from {@code
 * presence}.
 */
final class ProcessDetector {
  private static final long SILENT_MS = 15_000;

  private final Entries entries;
  private final Map<PresenceKey, Seen> processes = new HashMap<>();

  private static final class Seen {
    private Presence last;
    private boolean silent;

    Seen(Presence last) {
      this.last = last;
    }
  }

  ProcessDetector(Entries entries) {
    this.entries = entries;
  }

  void take(PresenceKey key, @Nullable Presence now, long atMs) {
    Seen seen = processes.get(key);
    if (now == null) {
      if (seen != null) {
        listen(seen, atMs);
        processes.remove(key);
        if (!seen.silent) { // else the fleet forgot one that was killed
          add(seen.last, atMs, Severity.INFO, "stopped");
        }
      }
      return;
    }
    if (seen == null) {
      processes.put(key, new Seen(now));
      add(now, now.startedAtMs(), Severity.INFO, "started, version " + now.version());
      return;
    }
    Presence before = seen.last;
    seen.last = now;
    if (seen.silent) {
      seen.silent = false;
      add(
          now,
          now.atMs(),
          Severity.GOOD,
          "heard again after " + Words.duration(now.atMs() - before.atMs()));
    }
    if (now.stopping() && !before.stopping()) {
      add(now, now.atMs(), Severity.INFO, "stopping");
    }
    rebalanced(before, now);
  }

  private void rebalanced(Presence before, Presence now) {
    Set<String> lost = new HashSet<>(before.assignment());
    now.assignment().forEach(lost::remove);
    Set<String> gained = new HashSet<>(now.assignment());
    before.assignment().forEach(gained::remove);
    if (now.stopping() || (lost.isEmpty() && gained.isEmpty())) {
      return;
    }
    List<String> parts = new ArrayList<>();
    if (!gained.isEmpty()) {
      parts.add("took over " + some(gained));
    }
    if (!lost.isEmpty()) {
      parts.add("gave away " + some(lost));
    }
    add(now, now.atMs(), Severity.INFO, String.join(", ", parts));
  }

  private static String some(Set<String> items) {
    List<String> sorted = items.stream().sorted().toList();
    return sorted.size() <= 4
        ? String.join(" ", sorted)
        : String.join(" ", sorted.subList(0, 3)) + " and " + (sorted.size() - 3) + " more";
  }

  /** Time has passed: processes that fell silent without a word. */
  void tick(long nowMs) {
    processes.values().forEach(seen -> listen(seen, nowMs));
  }

  private void listen(Seen seen, long nowMs) {
    if (!seen.silent && !seen.last.stopping() && nowMs - seen.last.atMs() > SILENT_MS) {
      seen.silent = true;
      add(seen.last, seen.last.atMs(), Severity.BAD, "not heard of any more: killed or cut off");
    }
  }

  private void add(Presence of, long atMs, Severity severity, String text) {
    entries.add(
        Entry.at(
            atMs,
            Kind.PROCESS,
            severity,
            new Subject(of.region(), null, null, null, null, name(of)),
            text));
  }

  /** Most processes are named after their role already. */
  private static String name(Presence of) {
    return of.process().startsWith(of.role() + "-") ? of.process() : of.role() + " " + of.process();
  }
}
