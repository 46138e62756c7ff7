package dev.lasso.launcher.admin;

import dev.lasso.routing.event.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A fleet as a table for a person. */
final class FleetTable {
  private static final List<String> HEAD =
      List.of("ROLE", "PROCESS", "REGION", "VERSION", "UP", "SEEN", "STATUS", "WORKS ON", "LAG");

  private FleetTable() {}

  /**
   * The lines of the table.
   *
   * @param processes those to show
   * @param nowMs counts as now
   * @param goneAfterMs silence after which a process counts as gone
   */
  static List<String> lines(
      List<Presence> processes, List<Fleet.Group> groups, long nowMs, long goneAfterMs) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    for (Presence process : processes) {
      rows.add(row(process, nowMs, goneAfterMs));
    }
    List<String> lines = new ArrayList<>(aligned(rows));
    if (processes.isEmpty()) {
      lines.add("no process has told of itself");
    }
    processes.forEach(
        process ->
            process
                .reasons()
                .forEach(reason -> lines.add("  " + process.process() + ": " + reason)));
    List<List<String>> groupRows = new ArrayList<>();
    groupRows.add(List.of("GROUP", "STATE", "MEMBERS", "LAG"));
    for (Fleet.Group group : groups) {
      groupRows.add(
          List.of(
              group.name(),
              group.state(),
              Integer.toString(group.members()),
              Long.toString(group.totalLag())));
    }
    lines.add("");
    lines.addAll(aligned(groupRows));
    return lines;
  }

  private static List<String> row(Presence process, long nowMs, long goneAfterMs) {
    long silentMs = Math.max(0, nowMs - process.atMs());
    return List.of(
        process.role(),
        process.process(),
        process.region().value(),
        process.version(),
        duration(nowMs - process.startedAtMs()),
        duration(silentMs) + " ago",
        status(process, silentMs >= goneAfterMs),
        worksOn(process.assignment()),
        Long.toString(process.lag().values().stream().mapToLong(Long::longValue).sum()));
  }

  static String status(Presence process, boolean gone) {
    return gone ? "gone" : process.stopping() ? "stopping" : process.condition();
  }

  /** {@code probes 0-5,8}: what ends in a number is put together. */
  static String worksOn(List<String> assignment) {
    Map<String, TreeSet<Integer>> partitions = new TreeMap<>();
    List<String> parts = new ArrayList<>();
    for (String work : assignment) {
      int dash = work.lastIndexOf('-');
      String number = work.substring(dash + 1);
      if (dash > 0 && number.matches("\\d{1,6}")) {
        partitions
            .computeIfAbsent(work.substring(0, dash), _ -> new TreeSet<>())
            .add(Integer.parseInt(number));
      } else {
        parts.add(work);
      }
    }
    partitions.forEach((topic, numbers) -> parts.add(topic + " " + ranges(numbers)));
    return parts.isEmpty() ? "-" : String.join("; ", parts);
  }

  private static String ranges(SortedSet<Integer> numbers) {
    List<String> ranges = new ArrayList<>();
    int from = numbers.first();
    int to = from;
    for (int number : numbers) {
      if (number > to + 1) {
        ranges.add(from == to ? "" + from : from + "-" + to);
        from = number;
      }
      to = number;
    }
    ranges.add(from == to ? "" + from : from + "-" + to);
    return String.join(",", ranges);
  }

  /** {@code 3d4h}, {@code 5h12m}, {@code 7m3s}, {@code 12s}. */
  static String duration(long ms) {
    long seconds = Math.max(0, ms / 1_000);
    if (seconds >= 86_400) {
      return seconds / 86_400 + "d" + seconds % 86_400 / 3_600 + "h";
    }
    if (seconds >= 3_600) {
      return seconds / 3_600 + "h" + seconds % 3_600 / 60 + "m";
    }
    return seconds >= 60 ? seconds / 60 + "m" + seconds % 60 + "s" : seconds + "s";
  }

  private static List<String> aligned(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream()
        .map(
            row -> {
              List<String> cells = new ArrayList<>();
              for (int i = 0; i < columns; i++) {
                cells.add(row.get(i) + " ".repeat(widths[i] - row.get(i).length()));
              }
              return cells.stream().collect(Collectors.joining("  ")).stripTrailing();
            })
        .toList();
  }
}
