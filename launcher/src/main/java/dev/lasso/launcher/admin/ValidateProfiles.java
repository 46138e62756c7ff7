package dev.lasso.launcher.admin;

import dev.lasso.profiles.Finding;
import dev.lasso.profiles.LoadResult;
import dev.lasso.routing.profile.Profile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lasso profiles validate}. Exit code 0 without faults, 1 with. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Check profile files and report every fault at once.")
final class ValidateProfiles implements Callable<Integer> {
  @ParentCommand private ProfilesCommand parent = new ProfilesCommand();
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProfileFilesOption files = new ProfileFilesOption();

  @Option(names = "--json", description = "Print the findings as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    LoadResult result = files.load(parent);
    Output output = new Output(spec);
    if (json) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("valid", result instanceof LoadResult.Valid);
      answer.put("profiles", slugs(result));
      answer.put("findings", result.findings().stream().map(ValidateProfiles::json).toList());
      output.json(answer);
    } else {
      result.findings().forEach(finding -> output.line(finding.text()));
      output.line(summary(result));
    }
    return result instanceof LoadResult.Valid ? 0 : 1;
  }

  private static List<String> slugs(LoadResult result) {
    return switch (result) {
      case LoadResult.Valid valid ->
          valid.profiles().stream().map(profile -> profile.slug().value()).toList();
      case LoadResult.Invalid _ -> List.of();
    };
  }

  static String summary(LoadResult result) {
    long faults = result.findings().stream().filter(Finding::isFault).count();
    long warnings = result.findings().size() - faults;
    return switch (result) {
      case LoadResult.Valid valid ->
          counted(valid.profiles().size(), "profile")
              + ", "
              + counted(chains(valid.profiles()), "chain")
              + ", "
              + counted(providers(valid.profiles()), "provider")
              + ": valid, "
              + counted(warnings, "warning");
      case LoadResult.Invalid _ -> counted(faults, "fault") + ", " + counted(warnings, "warning");
    };
  }

  static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  static long chains(List<Profile> profiles) {
    return profiles.stream().mapToLong(profile -> profile.chains().size()).sum();
  }

  static long providers(List<Profile> profiles) {
    return profiles.stream()
        .flatMap(profile -> profile.chains().stream())
        .mapToLong(chain -> chain.providers().size())
        .sum();
  }

  private static Map<String, @Nullable Object> json(Finding finding) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
    answer.put("code", finding.code().name().toLowerCase(Locale.ROOT));
    answer.put("file", finding.file().toString());
    answer.put("line", finding.line());
    answer.put("column", finding.column());
    answer.put("path", finding.path());
    answer.put("value", finding.value());
    answer.put("expected", finding.expected());
    answer.put("nearest", finding.nearest());
    return answer;
  }
}
