package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Output;
import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.replay.state.StateAt;
import dev.lasso.replay.state.StateTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lasso replay state}. Exit code 0; with {@code --diff} 3 when something differs. */
@Command(
    name = "state",
    mixinStandardHelpOptions = true,
    description = {
      "Show what the processes of each region knew at a moment: chains, heights, circuits, rate"
          + " limits, evidence.",
      "With --diff, what changed from one moment to another; exit code 3 when anything did."
    })
final class StateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private SourceOptions source = new SourceOptions();

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "The moment (default: now; of a trace, its end).")
  private @Nullable String at;

  @Option(
      names = "--diff",
      paramLabel = "TIME",
      arity = "2",
      description = "Two moments to compare.")
  private List<String> diff = new ArrayList<>();

  @Option(names = "--region", paramLabel = "NAME", description = "Only this region.")
  private @Nullable String region;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    if (at != null && !diff.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--at or --diff, not both");
    }
    Output output = new Output(spec);
    Opened opened = source.open(spec);
    int exitCode = diff.isEmpty() ? show(opened, output) : compare(opened, output);
    opened.recording().notices().texts().forEach(text -> output.note("lasso: " + text));
    return exitCode;
  }

  private int show(Opened opened, Output output) {
    Instant moment = at == null ? opened.end() : SourceOptions.moment(spec, opened, "--at", at);
    Map<String, Object> tree = tree(opened, moment);
    if (json) {
      output.json(tree);
    } else {
      output.line("as of " + new Times(opened.zone()).moment(moment.toEpochMilli()));
      print(tree, "", output);
    }
    return 0;
  }

  private int compare(Opened opened, Output output) {
    SortedMap<String, String> before =
        StateTree.flat(tree(opened, SourceOptions.moment(spec, opened, "--diff", diff.getFirst())));
    SortedMap<String, String> after =
        StateTree.flat(tree(opened, SourceOptions.moment(spec, opened, "--diff", diff.getLast())));
    TreeSet<String> paths = new TreeSet<>(before.keySet());
    paths.addAll(after.keySet());
    List<Map<String, @Nullable Object>> changes = new ArrayList<>();
    for (String path : paths) {
      String was = before.get(path);
      String is = after.get(path);
      if (was == null || !was.equals(is)) {
        Map<String, @Nullable Object> change = new LinkedHashMap<>();
        change.put("path", path);
        change.put("before", was);
        change.put("after", is);
        changes.add(change);
      }
    }
    if (json) {
      output.json(changes);
    } else {
      for (Map<String, @Nullable Object> change : changes) {
        output.line(
            change.get("path")
                + ": "
                + shown(change.get("before"))
                + " → "
                + shown(change.get("after")));
      }
      if (changes.isEmpty()) {
        output.line("no difference");
      }
    }
    return changes.isEmpty() ? 0 : Output.DIFFERENT;
  }

  private static Object shown(@Nullable Object value) {
    return value == null ? "—" : value;
  }

  private Map<String, Object> tree(Opened opened, Instant moment) {
    Map<String, Object> regions = new LinkedHashMap<>();
    StateAt.read(opened.recording(), moment.toEpochMilli(), source.environment()::get)
        .forEach(
            (name, snapshot) -> {
              if (region == null || region.equals(name.value())) {
                regions.put(name.value(), StateTree.of(snapshot, moment.toEpochMilli()));
              }
            });
    return regions;
  }

  /** Maps of plain values on one line, others as a block. */
  private static void print(Map<?, ?> tree, String indent, Output output) {
    tree.forEach(
        (key, value) -> {
          if (!(value instanceof Map<?, ?> map)) {
            output.line(indent + key + ": " + value);
          } else if (map.values().stream().noneMatch(Map.class::isInstance)) {
            StringBuilder line = new StringBuilder(indent).append(key).append(':');
            map.forEach((name, leaf) -> line.append(' ').append(name).append('=').append(leaf));
            output.line(line.toString());
          } else {
            output.line(indent + key + ":");
            print(map, indent + "  ", output);
          }
        });
  }
}
