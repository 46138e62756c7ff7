package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Output;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.TraceSource;
import dev.lasso.replay.trace.TraceCheck;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lasso replay verify}. Exit code 0 when the trace is whole and readable, 1 when not. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Read a trace from front to back, fold its state, and say whether it is complete.",
      "Exit code 0 when it is and every record can be read, 1 when not."
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "The trace.")
  private Path file = Path.of("incident.trace");

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Output output = new Output(spec);
    Recording recording =
        new Recording(
            TraceSource.of(file),
            new TopicCatalogue(TopicSettings.defaults()),
            new ProgressLine(output));
    TraceCheck.Result result = TraceCheck.run(recording);
    recording.notices().texts().forEach(text -> output.note("lasso: " + text));
    boolean whole = result.whole();
    if (json) {
      output.json(json(result, whole));
    } else {
      result
          .records()
          .forEach((topic, count) -> output.line("%-18s %,12d".formatted(topic.word(), count)));
      output.line(
          "%,d records from %s to %s, read and folded at %,.0f records/s"
              .formatted(
                  result.total(),
                  Instant.ofEpochMilli(result.firstMs()),
                  Instant.ofEpochMilli(result.lastMs()),
                  result.recordsPerSecond()));
      output.line(
          whole
              ? "complete and readable"
              : "%d records can't be read, %d stand out of order; %s"
                  .formatted(
                      result.skipped().values().stream().mapToLong(Long::longValue).sum(),
                      result.disorder(),
                      result.faults().isEmpty()
                          ? "no block is damaged"
                          : String.join("; ", result.faults())));
    }
    return whole ? 0 : 1;
  }

  private static Map<String, Object> json(TraceCheck.Result result, boolean whole) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("complete", whole);
    answer.put("records", result.total());
    answer.put("from", Instant.ofEpochMilli(result.firstMs()).toString());
    answer.put("to", Instant.ofEpochMilli(result.lastMs()).toString());
    Map<String, Long> topics = new TreeMap<>();
    result.records().forEach((topic, count) -> topics.put(topic.word(), count));
    answer.put("topics", topics);
    answer.put("unreadable", result.skipped());
    answer.put("out_of_order", result.disorder());
    answer.put("faults", result.faults());
    answer.put("records_per_second", Math.round(result.recordsPerSecond()));
    return answer;
  }
}
