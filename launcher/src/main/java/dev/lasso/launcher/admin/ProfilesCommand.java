package dev.lasso.launcher.admin;

import dev.lasso.profiles.ProfileFiles;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lasso profiles}: checks profile files and puts them in force. */
@Command(
    name = "profiles",
    mixinStandardHelpOptions = true,
    description = "Check profile files, put them in force, see what is.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ValidateProfiles.class,
      ApplyProfiles.class,
      DiffProfiles.class,
      ShowProfiles.class
    })
public final class ProfilesCommand implements Runnable {
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** With the environment of this process. */
  public ProfilesCommand() {
    this(System.getenv());
  }

  /** With another environment. */
  public ProfilesCommand(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  Map<String, String> environment() {
    return environment;
  }

  ProfileFiles files(boolean allowMissingVariables) {
    return new ProfileFiles(
        environment::get,
        allowMissingVariables
            ? ProfileFiles.Variables.MAY_BE_MISSING
            : ProfileFiles.Variables.MUST_BE_SET);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which? validate, apply, diff or show");
  }
}
