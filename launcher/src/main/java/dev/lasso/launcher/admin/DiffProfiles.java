package dev.lasso.launcher.admin;

import dev.lasso.launcher.admin.ProfileDiff.Change;
import dev.lasso.launcher.admin.ProfileTopic.Contents;
import dev.lasso.profiles.LoadResult;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.Profile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code lasso profiles diff}. Exit code 0 when files and cluster agree, 3 when not, 1 when they
 * can't be compared.
 */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = "Show what applying a directory would change, setting by setting.")
final class DiffProfiles implements Callable<Integer> {
  @ParentCommand private ProfilesCommand parent = new ProfilesCommand();
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProfileFilesOption files = new ProfileFilesOption();
  @Mixin private KafkaOption kafka = new KafkaOption();

  @Option(names = "--json", description = "Print the differences as JSON.")
  private boolean json;

  @Override
  public Integer call() throws TimeoutException {
    Output output = new Output(spec);
    LoadResult result = files.load(parent);
    result.findings().forEach(finding -> output.note(finding.text()));
    if (!(result instanceof LoadResult.Valid valid)) {
      return output.failed(List.of("nothing compared: " + ValidateProfiles.summary(result)));
    }
    ProfileTopic topic = new ProfileTopic(kafka.cluster(parent.environment()));
    List<String> problems = topic.problems();
    if (!problems.isEmpty()) {
      return output.failed(problems);
    }
    Contents contents = topic.read();
    contents.unreadable().forEach(output::note);
    SortedMap<ProfileSlug, List<Change>> changes = changes(contents.profiles(), valid.profiles());
    print(changes, output);
    return changes.isEmpty() ? 0 : Output.DIFFERENT;
  }

  private static SortedMap<ProfileSlug, List<Change>> changes(
      Map<ProfileSlug, Profile> current, List<Profile> wanted) {
    Map<ProfileSlug, Profile> files = new TreeMap<>();
    wanted.forEach(profile -> files.put(profile.slug(), profile));
    TreeSet<ProfileSlug> slugs = new TreeSet<>(current.keySet());
    slugs.addAll(files.keySet());
    SortedMap<ProfileSlug, List<Change>> changes = new TreeMap<>();
    for (ProfileSlug slug : slugs) {
      List<Change> found = ProfileDiff.between(current.get(slug), files.get(slug));
      if (!found.isEmpty()) {
        changes.put(slug, found);
      }
    }
    return changes;
  }

  private void print(SortedMap<ProfileSlug, List<Change>> changes, Output output) {
    if (json) {
      Map<String, Object> answer = new LinkedHashMap<>();
      changes.forEach(
          (slug, found) ->
              answer.put(slug.value(), found.stream().map(DiffProfiles::json).toList()));
      output.json(answer);
      return;
    }
    changes.forEach(
        (slug, found) -> found.forEach(change -> output.line(slug + ": " + change.text())));
    if (changes.isEmpty()) {
      output.line("no difference");
    }
  }

  private static Map<String, @Nullable Object> json(Change change) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("path", change.path());
    answer.put("before", change.before());
    answer.put("after", change.after());
    return answer;
  }
}
