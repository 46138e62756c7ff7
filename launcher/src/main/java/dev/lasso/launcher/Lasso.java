package dev.lasso.launcher;

import dev.lasso.launcher.admin.ProfilesCommand;
import dev.lasso.launcher.admin.StatusCommand;
import dev.lasso.launcher.admin.TopicsCommand;
import dev.lasso.launcher.replay.ReplayCommand;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;

/**
 * The {@code lasso} command. Results go to standard output, everything else to standard error; exit
 * codes are 0 for success, 1 for failure, 2 for a wrong call.
 */
@Command(
    name = "lasso",
    mixinStandardHelpOptions = true,
    versionProvider = Lasso.Version.class,
    description = "Many unreliable EVM JSON-RPC providers, one dependable endpoint.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      UpCommand.class,
      DemoCommand.class,
      RoleCommands.Gateway.class,
      RoleCommands.Health.class,
      RoleCommands.BlockSync.class,
      RoleCommands.Benchmark.class,
      RoleCommands.Subscription.class,
      BrokerCommand.class,
      SimulateCommand.class,
      ProfilesCommand.class,
      TopicsCommand.class,
      ReplayCommand.class,
      StatusCommand.class,
      SettingsCommand.class,
      HelpCommand.class
    })
public final class Lasso {
  private Lasso() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    int exitCode;
    try {
      exitCode = commandLine().execute(arguments);
    } catch (Error e) { // a class or native library that can't be loaded; picocli lets errors pass
      System.err.println("lasso: " + Failures.oneLine(e));
      exitCode = CommandLine.ExitCode.SOFTWARE;
    }
    CommandEnd.reached();
    System.exit(exitCode);
  }

  static CommandLine commandLine() {
    return commandLine(System.getenv());
  }

  /** The command as it is in another environment than this process's. */
  static CommandLine commandLine(Map<String, String> environment) {
    CommandLine commandLine = new CommandLine(new Lasso(), new Commands(environment));
    Objects.requireNonNull(commandLine.getSubcommands().get("replay"))
        .addSubcommand(new ReplayServeCommand());
    commandLine.setExecutionExceptionHandler(
        (failure, command, _) -> {
          command.getErr().println("lasso: " + Failures.oneLine(failure));
          return CommandLine.ExitCode.SOFTWARE;
        });
    return commandLine;
  }

  /** Makes the commands that work on Kafka from an environment, all others by themselves. */
  private record Commands(Map<String, String> environment) implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      if (type == ProfilesCommand.class) {
        return type.cast(new ProfilesCommand(environment));
      }
      if (type == StatusCommand.class) {
        return type.cast(new StatusCommand(environment));
      }
      if (type == TopicsCommand.class) {
        return type.cast(new TopicsCommand(environment));
      }
      return CommandLine.defaultFactory().create(type);
    }
  }

  /** The version that the build wrote into the archive. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Lasso.class.getPackage().getImplementationVersion();
      return new String[] {"lasso " + (version == null ? "development" : version)};
    }
  }
}
