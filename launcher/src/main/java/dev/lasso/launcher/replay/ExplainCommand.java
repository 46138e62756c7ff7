package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Output;
import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.replay.decide.DecidedAgain;
import dev.lasso.replay.decide.DecisionReplay;
import dev.lasso.replay.decide.Explanation;
import dev.lasso.replay.read.Span;
import dev.lasso.routing.RequestId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lasso replay explain}. Exit code 0, or 1 when no decision of a request is recorded. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Say why a request went where it went: facts, what was known of each channel, who was left"
          + " out and why, plan, attempts, answer.",
      "The request id is in the answer's metadata (X-Lasso-Request-Id) and in the 503 body. Failed"
          + " requests are always recorded, of the others a budget.",
      "Exit code 1 when no decision of the request is recorded."
    })
final class ExplainCommand implements Callable<Integer> {
  private static final Duration LOOK_BACK = Duration.ofDays(7);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private SourceOptions source = new SourceOptions();

  @Parameters(
      paramLabel = "REQUEST_ID",
      arity = "1..*",
      description = "The request's id; several are looked for in one read.")
  private List<String> requestIds = new ArrayList<>();

  @Option(
      names = "--around",
      paramLabel = "TIME",
      description = "When it was, to look only within ten minutes of it: quicker.")
  private @Nullable String around;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    Output output = new Output(spec);
    Opened opened = source.open(spec);
    Set<RequestId> wanted =
        requestIds.stream().map(RequestId::new).collect(Collectors.toUnmodifiableSet());
    List<Explanation> found = new ArrayList<>();
    new DecisionReplay(opened.recording(), source.environment()::get)
        .run(
            span(opened),
            decision -> wanted.contains(decision.requestId()),
            (DecidedAgain again) -> found.add(Explanation.of(again)));
    opened.recording().notices().texts().forEach(text -> output.note("lasso: " + text));
    if (json) {
      output.json(found.stream().map(ExplanationText::json).toList());
    } else {
      Times times = new Times(opened.zone());
      for (int i = 0; i < found.size(); i++) {
        if (i > 0) {
          output.line("");
        }
        ExplanationText.lines(found.get(i), times).forEach(output::line);
      }
    }
    List<String> missing = new ArrayList<>(requestIds);
    found.forEach(one -> missing.remove(one.decision().requestId().value()));
    return missing.isEmpty()
        ? 0
        : output.failed(
            List.of(
                "no decision of request "
                    + String.join(", ", missing)
                    + " is recorded: it is older or younger than what was read, or it went well"
                    + " and was not within the budget"));
  }

  private Span span(Opened opened) {
    if (around != null) {
      var moment = SourceOptions.moment(spec, opened, "--around", around);
      return SourceOptions.span(moment.minusSeconds(600), moment.plusSeconds(600));
    }
    var begin = opened.begin();
    return SourceOptions.span(begin == null ? opened.end().minus(LOOK_BACK) : begin, opened.end());
  }
}
