package dev.lasso.launcher.replay;

import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.engine.settings.AttemptSettings;
import dev.lasso.launcher.admin.Output;
import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.profiles.LoadResult;
import dev.lasso.profiles.ProfileFiles;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.timeline.Words;
import dev.lasso.replay.whatif.Change;
import dev.lasso.replay.whatif.Prediction;
import dev.lasso.replay.whatif.Prediction.Outcome;
import dev.lasso.replay.whatif.Prediction.ProviderLoad;
import dev.lasso.replay.whatif.Prediction.Range;
import dev.lasso.replay.whatif.WhatIf;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.profile.Profile;
import dev.lasso.runtime.settings.SettingCatalogue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lasso replay what-if}. Exit code 0, or 1 when nothing was recorded to predict from. */
@Command(
    name = "what-if",
    mixinStandardHelpOptions = true,
    description = {
      "Decide the recorded requests under another strategy, an edited profile or without a"
          + " provider, and compare what that predicts with what was.",
      "Exit code 1 when there is no decision to predict from."
    })
final class WhatIfCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private SourceOptions source = new SourceOptions();
  @Mixin private PeriodOptions period = new PeriodOptions();

  @Option(names = "--strategy", paramLabel = "NAME", description = "Rank every request by it.")
  private @Nullable String strategy;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description = "A profile file to be in force in place of the recorded one with its slug.")
  private @Nullable Path profile;

  @Option(
      names = "--without",
      paramLabel = "PROVIDER",
      description = "Send nobody to this provider; may be repeated.")
  private List<String> without = new ArrayList<>();

  @Option(names = "--only-profile", paramLabel = "SLUG", description = "Only its requests.")
  private @Nullable String onlyProfile;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    if (strategy == null && profile == null && without.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "what is to change? --strategy, --profile or --without");
    }
    Output output = new Output(spec);
    Change change = change(output);
    Opened opened = source.open(spec);
    Span span = period.span(spec, opened);
    Prediction prediction =
        new WhatIf(opened.recording(), source.environment()::get, change, engine())
            .run(span, onlyProfile);
    opened.recording().notices().texts().forEach(text -> output.note("lasso: " + text));
    if (prediction.decisions() == 0) {
      return output.failed(
          List.of("no decision that can be taken again is recorded in that period"));
    }
    if (json) {
      output.json(json(prediction));
    } else {
      lines(prediction).forEach(output::line);
    }
    return 0;
  }

  /** As the gateways have it whose settings are those of this process's environment. */
  private EnginePolicy engine() {
    Map<String, String> relevant = new HashMap<>(source.environment());
    relevant
        .keySet()
        .removeIf(
            name ->
                AttemptSettings.GROUP.settings().stream()
                    .noneMatch(setting -> setting.name().equals(name)));
    return AttemptSettings.from(SettingCatalogue.of(List.of(AttemptSettings.GROUP)).read(relevant));
  }

  private Change change(Output output) {
    StrategyName name;
    try {
      name = strategy == null ? null : StrategyName.parse(strategy);
      return new Change(
          name,
          profile == null ? null : edited(profile, output),
          without.stream().map(ProviderId::of).collect(Collectors.toUnmodifiableSet()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Profile edited(Path file, Output output) {
    LoadResult result =
        new ProfileFiles(source.environment()::get, ProfileFiles.Variables.MAY_BE_MISSING)
            .load(file);
    result.findings().forEach(finding -> output.note(finding.text()));
    if (result instanceof LoadResult.Valid valid && valid.profiles().size() == 1) {
      return valid.profiles().getFirst();
    }
    throw new ReplayFailed(file + " does not hold one valid profile");
  }

  private static List<String> lines(Prediction prediction) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d recorded decisions, standing for %d requests"
            .formatted(prediction.decisions(), prediction.requests()));
    lines.add("%-12s %9s  %-28s %-28s".formatted("", "success", "median", "99th percentile"));
    lines.add(line("recorded", prediction.recorded()));
    lines.add(line("as modelled", prediction.modelled()));
    lines.add(line("predicted", prediction.predicted()));
    lines.add("");
    lines.add(
        "%-30s %9s %8s %8s   %9s %8s %8s   %s"
            .formatted(
                "attempts/s at",
                "recorded",
                "peak",
                "refused",
                "predicted",
                "peak",
                "refused",
                "limits from"));
    for (ProviderLoad load : prediction.providers()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-30s %9.2f %8.2f %7.1f%%   %9.2f %8.2f %7.1f%%   %s",
              load.channel(),
              load.recordedPerSecond(),
              load.recordedPeak(),
              100 * load.recordedLimited(),
              load.predictedPerSecond(),
              load.predictedPeak(),
              100 * load.predictedLimited(),
              load.rateLimitedFrom() == 0
                  ? "never"
                  : String.format(Locale.ROOT, "%.1f/s", load.rateLimitedFrom())));
    }
    lines.add("");
    lines.add("sure: " + prediction.sureness().name().toLowerCase(Locale.ROOT));
    prediction.reasons().forEach(reason -> lines.add("  " + reason));
    return lines;
  }

  private static String line(String name, Outcome outcome) {
    return "%-12s %8.2f%%  %-28s %-28s"
        .formatted(name, 100 * outcome.successRate(), range(outcome.p50()), range(outcome.p99()));
  }

  private static String range(Range range) {
    return Words.latency(range.ms())
        + " ("
        + Words.latency(range.lowMs())
        + " – "
        + Words.latency(range.highMs())
        + ")";
  }

  private static Map<String, Object> json(Prediction prediction) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("decisions", prediction.decisions());
    answer.put("requests", prediction.requests());
    answer.put("recorded", json(prediction.recorded()));
    answer.put("modelled", json(prediction.modelled()));
    answer.put("predicted", json(prediction.predicted()));
    answer.put(
        "providers",
        prediction.providers().stream()
            .map(
                load -> {
                  Map<String, Object> provider = new LinkedHashMap<>();
                  provider.put("channel", load.channel());
                  provider.put("recorded_per_second", load.recordedPerSecond());
                  provider.put("recorded_peak", load.recordedPeak());
                  provider.put("predicted_per_second", load.predictedPerSecond());
                  provider.put("predicted_peak", load.predictedPeak());
                  provider.put("recorded_rate_limited", load.recordedLimited());
                  provider.put("predicted_rate_limited", load.predictedLimited());
                  provider.put("rate_limited_from", load.rateLimitedFrom());
                  return provider;
                })
            .toList());
    answer.put("sureness", prediction.sureness().name().toLowerCase(Locale.ROOT));
    answer.put("reasons", prediction.reasons());
    return answer;
  }

  private static Map<String, Object> json(Outcome outcome) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("success_rate", outcome.successRate());
    answer.put("p50_ms", outcome.p50().ms());
    answer.put("p50_range_ms", List.of(outcome.p50().lowMs(), outcome.p50().highMs()));
    answer.put("p99_ms", outcome.p99().ms());
    answer.put("p99_range_ms", List.of(outcome.p99().lowMs(), outcome.p99().highMs()));
    return answer;
  }
}
