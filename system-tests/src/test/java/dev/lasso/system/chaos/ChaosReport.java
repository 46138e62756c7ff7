package dev.lasso.system.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run has shown.
 *
 * @param seed of the script
 * @param figures what was counted, by name
 * @param currentAfterMs for each view how long after the last fault it was current for good, ms
 * @param failures what was not as promised, in words; empty when all was
 */
record ChaosReport(
    long seed, Map<String, Long> figures, Map<String, Long> currentAfterMs, List<String> failures) {

  static ChaosReport of(
      long seed,
      ChaosRun.Terms terms,
      Faults faults,
      Tally tally,
      List<Subscriber> subscribers,
      FilterPoller filter,
      Views.Outcome views) {
    List<Told> told = subscribers.stream().map(Subscriber::told).toList();
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("faults", (long) faults.done());
    figures.put("requests", tally.requests());
    figures.put("requests asked again", tally.retried());
    figures.put("answers wrong", tally.wrong());
    figures.put("answers too late", tally.late());
    figures.put("requests lost", tally.lost());
    figures.put("subscribers", (long) subscribers.size());
    figures.put(
        "connections of subscribers",
        subscribers.stream().mapToLong(Subscriber::connections).sum());
    figures.put("events", told.stream().mapToLong(Told::events).sum());
    figures.put("events missing", told.stream().mapToLong(Told::missing).sum());
    figures.put("events repeated", told.stream().mapToLong(Told::repeated).sum());
    figures.put("events wrong", told.stream().mapToLong(Told::wrong).sum());
    figures.put("blocks told by the filter", filter.blocks());
    figures.put("polls answered with an error", filter.errors());
    figures.put("polls without an answer", filter.unanswered());
    figures.put("blocks lost with such polls", filter.lostUnanswered());

    List<String> failures = new ArrayList<>(faults.failures());
    failures.addAll(tally.objections());
    for (Subscriber subscriber : subscribers) {
      for (String objection : subscriber.told().objections()) {
        failures.add(subscriber + ": " + objection);
      }
    }
    failures.addAll(filter.objections());
    views.lacks().forEach((view, lack) -> failures.add(view + " never was current: " + lack));
    long withinMs = terms.currentWithin().toMillis();
    views
        .currentAfterMs()
        .forEach(
            (view, afterMs) -> {
              if (afterMs > withinMs) {
                failures.add(
                    "%s was current after %d ms, more than %d".formatted(view, afterMs, withinMs));
              }
            });
    return new ChaosReport(seed, figures, views.currentAfterMs(), List.copyOf(failures));
  }

  /** A table for people. */
  String table() {
    StringBuilder table = new StringBuilder();
    figures.forEach((name, figure) -> table.append("%-32s %10d%n".formatted(name, figure)));
    table.append("current after the last fault, ms%n".formatted());
    currentAfterMs.forEach((name, ms) -> table.append("  %-30s %10d%n".formatted(name, ms)));
    failures.forEach(failure -> table.append("FAILED ").append(failure).append('\n'));
    return table.toString();
  }

  /** The same for programs. */
  String json() {
    ObjectNode json = Truth.JSON.createObjectNode();
    json.put("seed", seed).put("passed", failures.isEmpty());
    ObjectNode counted = json.putObject("figures");
    figures.forEach((name, figure) -> counted.put(name.replace(' ', '_'), figure));
    ObjectNode current = json.putObject("current_after_ms");
    currentAfterMs.forEach((name, ms) -> current.put(name.replace(' ', '_'), ms));
    failures.forEach(json.putArray("failures")::add);
    return json.toPrettyString();
  }
}
