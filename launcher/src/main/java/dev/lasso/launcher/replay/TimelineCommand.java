package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Output;
import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.timeline.Entry;
import dev.lasso.replay.timeline.Labels;
import dev.lasso.replay.timeline.Subject;
import dev.lasso.replay.timeline.Timeline;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lasso replay timeline}. Exit code 0. */
@Command(
    name = "timeline",
    mixinStandardHelpOptions = true,
    description = {
      "Tell what happened, in time order: circuits, rate limits, lag, heads, reorgs, failures,"
          + " latency, profiles, processes.",
      "The margin says how bad it is: X clients may have felt it, ! not as it should be, + better."
    })
final class TimelineCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private SourceOptions source = new SourceOptions();
  @Mixin private PeriodOptions period = new PeriodOptions();

  @Option(names = "--profile", paramLabel = "SLUG", description = "Only this profile's.")
  private @Nullable String profile;

  @Option(names = "--chain", paramLabel = "NAME", description = "Only this chain's: name or id.")
  private @Nullable String chain;

  @Option(
      names = "--instance",
      paramLabel = "NAME",
      description = "Only this upstream's: provider or instance id.")
  private @Nullable String instance;

  @Option(names = "--json", description = "Print a JSON list.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    Output output = new Output(spec);
    Opened opened = source.open(spec);
    Span span = period.span(spec, opened);
    Timeline timeline = new Timeline(opened.recording(), span, source.environment()::get);
    List<Entry> entries =
        timeline.read().stream().filter(entry -> wanted(entry, timeline.labels())).toList();
    Times times = new Times(opened.zone());
    if (json) {
      output.json(entries.stream().map(entry -> json(entry, timeline.labels())).toList());
    } else {
      output.line(
          "%s to %s, %s"
              .formatted(
                  times.moment(span.fromMs()), times.moment(span.toMs()), opened.source().name()));
      entries.forEach(entry -> output.line(line(entry, timeline.labels(), times)));
      if (entries.isEmpty()) {
        output.line("nothing out of the ordinary");
      }
    }
    opened.recording().notices().texts().forEach(text -> output.note("lasso: " + text));
    return 0;
  }

  private boolean wanted(Entry entry, Labels labels) {
    Subject subject = entry.subject();
    return matches(profile, subject.profile(), subject.profile())
        && matches(
            chain, subject.chain(), subject.chain() == null ? null : labels.chain(subject.chain()))
        && matches(
            instance,
            subject.instance(),
            subject.instance() == null ? null : labels.instance(subject.instance()));
  }

  /** Whether there is no filter, or the thing is what it names; what has no such thing is not. */
  private static boolean matches(
      @Nullable String filter, @Nullable Object id, @Nullable Object name) {
    return filter == null
        || (id != null && (filter.equals(id.toString()) || filter.equals(String.valueOf(name))));
  }

  private static String line(Entry entry, Labels labels, Times times) {
    String subject = labels.subject(entry.subject());
    return "%s  %s %-10s  %s%s"
        .formatted(
            times.moment(entry.atMs()),
            entry.severity().mark(),
            entry.kind().word(),
            subject.isEmpty() ? "" : subject + ": ",
            entry.text());
  }

  private static Map<String, @Nullable Object> json(Entry entry, Labels labels) {
    Subject subject = entry.subject();
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("at", Instant.ofEpochMilli(entry.atMs()).toString());
    answer.put("until", Instant.ofEpochMilli(entry.endMs()).toString());
    answer.put("kind", entry.kind().word());
    answer.put("severity", entry.severity().word());
    answer.put("region", text(subject.region()));
    answer.put("profile", text(subject.profile()));
    answer.put("chain", subject.chain() == null ? null : labels.chain(subject.chain()));
    answer.put("provider", subject.instance() == null ? null : labels.instance(subject.instance()));
    answer.put("instance", text(subject.instance()));
    answer.put("transport", subject.transport() == null ? null : subject.transport().word());
    answer.put("process", subject.process());
    answer.put("text", entry.text());
    return answer;
  }

  private static @Nullable String text(@Nullable Object id) {
    return id == null ? null : id.toString();
  }
}
