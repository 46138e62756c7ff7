package dev.lasso.launcher.admin;

import dev.lasso.launcher.admin.ProfileTopic.Contents;
import dev.lasso.profiles.LoadResult;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.Profile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code lasso profiles apply}. Either all files can be used and all are written, or nothing is.
 * Exit code 0 when all is in force, 1 when not.
 */
@Command(
    name = "apply",
    mixinStandardHelpOptions = true,
    description = "Put the profiles of a directory in force, everywhere, without a restart.")
final class ApplyProfiles implements Callable<Integer> {
  @ParentCommand private ProfilesCommand parent = new ProfilesCommand();
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProfileFilesOption files = new ProfileFilesOption();
  @Mixin private KafkaOption kafka = new KafkaOption();

  @Option(
      names = "--prune",
      description = "Take profiles out of force that the directory does not have.")
  private boolean prune;

  @Option(names = "--json", description = "Print the outcome as JSON.")
  private boolean json;

  /** What became of a profile. */
  private enum Outcome {
    ADDED("added"),
    CHANGED("changed"),
    UNCHANGED("unchanged"),
    REMOVED("removed"),
    KEPT("kept, though no file has it; --prune removes it");

    private final String words;

    Outcome(String words) {
      this.words = words;
    }
  }

  @Override
  public Integer call() throws ExecutionException, TimeoutException, InterruptedException {
    Output output = new Output(spec);
    LoadResult result = files.load(parent);
    result.findings().forEach(finding -> output.note(finding.text()));
    return switch (result) {
      case LoadResult.Valid valid -> apply(valid.profiles(), output);
      case LoadResult.Invalid _ ->
          output.failed(List.of("nothing applied: " + ValidateProfiles.summary(result)));
    };
  }

  private int apply(List<Profile> profiles, Output output)
      throws ExecutionException, TimeoutException, InterruptedException {
    ProfileTopic topic = new ProfileTopic(kafka.cluster(parent.environment()));
    List<String> problems = topic.problems();
    if (!problems.isEmpty()) {
      return output.failed(problems);
    }
    Contents before = topic.read();
    before.unreadable().forEach(output::note);
    Map<ProfileSlug, Outcome> outcomes = outcomes(profiles, before);
    topic.write(
        profiles.stream()
            .filter(profile -> outcomes.get(profile.slug()) != Outcome.UNCHANGED)
            .toList(),
        slugs(outcomes, Outcome.REMOVED));
    if (json) {
      Map<String, Object> answer = new LinkedHashMap<>();
      for (Outcome outcome : Outcome.values()) {
        answer.put(
            outcome.name().toLowerCase(Locale.ROOT),
            slugs(outcomes, outcome).stream().map(ProfileSlug::value).toList());
      }
      output.json(answer);
    } else {
      outcomes.forEach((slug, outcome) -> output.line(slug + ": " + outcome.words));
    }
    return 0;
  }

  private Map<ProfileSlug, Outcome> outcomes(List<Profile> profiles, Contents before) {
    Map<ProfileSlug, Outcome> outcomes = new LinkedHashMap<>();
    for (Profile profile : profiles) {
      Profile current = before.profiles().get(profile.slug());
      outcomes.put(
          profile.slug(),
          current == null
              ? Outcome.ADDED
              : current.equals(profile) ? Outcome.UNCHANGED : Outcome.CHANGED);
    }
    Set<ProfileSlug> wanted = Set.copyOf(outcomes.keySet());
    before.profiles().keySet().stream()
        .filter(slug -> !wanted.contains(slug))
        .forEach(slug -> outcomes.put(slug, prune ? Outcome.REMOVED : Outcome.KEPT));
    return outcomes;
  }

  private static List<ProfileSlug> slugs(Map<ProfileSlug, Outcome> outcomes, Outcome outcome) {
    return outcomes.entrySet().stream()
        .filter(entry -> entry.getValue() == outcome)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableList());
  }
}
