package dev.lasso.launcher.admin;

import dev.lasso.launcher.admin.ProfileTopic.Contents;
import dev.lasso.profiles.ProfileYaml;
import dev.lasso.profiles.SecretText;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lasso profiles show}. Exit code 0, or 1 when a profile asked for is not there. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description =
        "Print the profiles in force, every setting written out; what may be a key is left out.")
final class ShowProfiles implements Callable<Integer> {
  @ParentCommand private ProfilesCommand parent = new ProfilesCommand();
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private KafkaOption kafka = new KafkaOption();

  @Parameters(paramLabel = "SLUG", arity = "0..*", description = "Which; all when none is named.")
  private List<String> slugs = new ArrayList<>();

  @Option(names = "--json", description = "Print a JSON list instead of YAML documents.")
  private boolean json;

  @Override
  public Integer call() throws TimeoutException {
    Output output = new Output(spec);
    ProfileTopic topic = new ProfileTopic(kafka.cluster(parent.environment()));
    List<String> problems = topic.problems();
    if (!problems.isEmpty()) {
      return output.failed(problems);
    }
    Contents contents = topic.read();
    contents.unreadable().forEach(output::note);
    List<Profile> shown =
        contents.profiles().values().stream()
            .filter(profile -> slugs.isEmpty() || slugs.contains(profile.slug().value()))
            .toList();
    if (json) {
      output.json(
          shown.stream().map(profile -> ProfileYaml.tree(profile, SecretText.REDACTED)).toList());
    } else {
      for (int i = 0; i < shown.size(); i++) {
        output.text((i == 0 ? "" : "---\n") + ProfileYaml.write(shown.get(i), SecretText.REDACTED));
      }
    }
    List<String> missing =
        slugs.stream()
            .filter(
                slug ->
                    contents.profiles().keySet().stream()
                        .map(ProfileSlug::value)
                        .noneMatch(slug::equals))
            .map(slug -> "no profile has the slug '" + slug + "'")
            .toList();
    return missing.isEmpty() ? 0 : output.failed(missing);
  }
}
