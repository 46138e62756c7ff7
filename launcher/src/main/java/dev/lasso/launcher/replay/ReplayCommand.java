package dev.lasso.launcher.replay;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lasso replay}: what happened, what was known, why a request went where it went. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Re-lives an incident from the topics, or from an exported trace without Kafka.",
      "Results go to standard output; progress, gaps and unreadable records to standard error."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TimelineCommand.class,
      StateCommand.class,
      ExplainCommand.class,
      WhatIfCommand.class,
      DecisionsCommand.class,
      ReportCommand.class,
      ExportCommand.class,
      VerifyCommand.class
    })
public final class ReplayCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "which? " + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }
}
