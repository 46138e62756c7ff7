package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Output;
import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.trace.TraceExport;
import dev.lasso.schemas.TopicName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lasso replay export}. Exit code 0 when the file is complete. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Write a period to a compressed trace file that every replay command reads without Kafka,"
          + " on any machine.",
      "URLs, header values and API keys are left out."
    })
final class ExportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private SourceOptions source = new SourceOptions();
  @Mixin private PeriodOptions period = new PeriodOptions();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "The file; it appears when it is complete.")
  private Path out = Path.of("incident.trace");

  @Option(names = "--json", description = "Print what was written as JSON.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException, IOException {
    Output output = new Output(spec);
    Opened opened = source.open(spec);
    Span span = period.span(spec, opened);
    Map<TopicName, Long> counts =
        new TraceExport(opened.recording(), source.environment()::get)
            .write(out, span.fromMs(), span.toMs(), opened.now().toEpochMilli());
    opened.recording().notices().texts().forEach(text -> output.note("lasso: " + text));
    long records = counts.values().stream().mapToLong(Long::longValue).sum();
    if (json) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("file", out.toString());
      answer.put("bytes", Files.size(out));
      answer.put("records", records);
      counts.forEach((topic, count) -> answer.put(topic.word(), count));
      output.json(answer);
    } else {
      counts.forEach((topic, count) -> output.line("%-18s %,12d".formatted(topic.word(), count)));
      output.line(
          "%,d records, %,d bytes in %s; URLs, header values and API keys were left out"
              .formatted(records, Files.size(out), out));
    }
    return 0;
  }
}
