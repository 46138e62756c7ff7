package dev.lasso.launcher;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lasso settings}: the reference page of the environment variables. */
@Command(
    name = "settings",
    mixinStandardHelpOptions = true,
    description = "Prints every setting: name, default, unit, meaning.")
final class SettingsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(ProcessSettings.catalogue().markdown());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
