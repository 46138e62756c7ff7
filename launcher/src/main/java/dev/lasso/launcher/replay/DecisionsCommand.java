package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Output;
import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.replay.decide.DecidedAgain;
import dev.lasso.replay.decide.DecisionReplay;
import dev.lasso.replay.read.Span;
import dev.lasso.routing.event.RoutingDecision;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code lasso replay decisions}. Exit code 0 when every decision that can be taken again comes out
 * the same, 3 when one does not.
 */
@Command(
    name = "decisions",
    mixinStandardHelpOptions = true,
    description = {
      "Take every recorded decision again from the state that it was taken from, and compare plan"
          + " and rejections with the record, byte for byte.",
      "Exit code 0 when all are the same, 3 when one differs."
    })
final class DecisionsCommand implements Callable<Integer> {
  private static final int SHOWN = 20;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private SourceOptions source = new SourceOptions();
  @Mixin private PeriodOptions period = new PeriodOptions();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  private long same;
  private long different;
  private long undecidable;

  @Override
  public Integer call() throws InterruptedException {
    Output output = new Output(spec);
    Opened opened = source.open(spec);
    Span span = period.span(spec, opened);
    Map<String, Long> missing = new TreeMap<>();
    new DecisionReplay(opened.recording(), source.environment()::get)
        .run(
            span,
            _ -> true,
            again -> {
              switch (again) {
                case DecidedAgain.Compared compared -> count(compared, output);
                case DecidedAgain.Undecidable(RoutingDecision _, String why) -> {
                  undecidable++;
                  missing.merge(why, 1L, Long::sum);
                }
              }
            });
    opened.recording().notices().texts().forEach(text -> output.note("lasso: " + text));
    missing.forEach((why, count) -> output.note("lasso: " + count + " not taken again: " + why));
    if (json) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("same", same);
      answer.put("different", different);
      answer.put("undecidable", undecidable);
      answer.put("undecidable_why", missing);
      output.json(answer);
    } else {
      output.line(
          "%d decisions taken again: %d the same, %d different; %d could not be taken again"
              .formatted(same + different, same, different, undecidable));
    }
    return different == 0 ? 0 : Output.DIFFERENT;
  }

  private void count(DecidedAgain.Compared compared, Output output) {
    if (compared.same()) {
      same++;
      return;
    }
    if (++different <= SHOWN) {
      RoutingDecision recorded = compared.recorded();
      output.note(
          "lasso: request %s at %s (%s): %s"
              .formatted(
                  recorded.requestId(),
                  Instant.ofEpochMilli(recorded.decidedAtMs()),
                  recorded.facts().method(),
                  compared.difference()));
    }
  }
}
