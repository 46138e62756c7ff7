package dev.lasso.launcher.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lasso.launcher.admin.Output;
import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lasso replay report}. Exit code 0 when the page is written. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Write one HTML page with the timeline, plots of latency, success, lag and circuit of each"
          + " provider, and tables.",
      "It needs no network and loads nothing."
    })
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private SourceOptions source = new SourceOptions();
  @Mixin private PeriodOptions period = new PeriodOptions();

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "The page.")
  private Path out = Path.of("incident.html");

  @Option(names = "--json", description = "Write what the page shows as JSON instead.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException, IOException {
    Output output = new Output(spec);
    Opened opened = source.open(spec);
    Span span = period.span(spec, opened);
    String data =
        new ObjectMapper()
            .writeValueAsString(
                new Report(opened.recording(), span, source.environment()::get).read());
    Files.writeString(out, json ? data : Report.page(data));
    opened.recording().notices().texts().forEach(text -> output.note("lasso: " + text));
    output.line("%s, %,d bytes".formatted(out, Files.size(out)));
    return 0;
  }
}
