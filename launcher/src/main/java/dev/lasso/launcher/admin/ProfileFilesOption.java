package dev.lasso.launcher.admin;

import dev.lasso.profiles.LoadResult;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which profile files, for commands that read them. */
final class ProfileFilesOption {
  @Parameters(
      paramLabel = "DIRECTORY",
      arity = "0..1",
      defaultValue = "config/profiles",
      description = "Directory of profile files, or one file (default: ${DEFAULT-VALUE}).")
  private Path path = Path.of("config/profiles");

  @Option(
      names = "--allow-missing-variables",
      description =
          "Only warn of unset variables in URLs, headers and keys: they are needed where Lasso"
              + " runs, perhaps not here.")
  private boolean allowMissingVariables;

  LoadResult load(ProfilesCommand command) {
    return command.files(allowMissingVariables).load(path);
  }
}
