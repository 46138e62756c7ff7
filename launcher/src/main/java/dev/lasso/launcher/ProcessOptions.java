package dev.lasso.launcher;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that runs a process. */
final class ProcessOptions {
  @Option(
      names = "--region",
      paramLabel = "NAME",
      defaultValue = "local",
      description = "Region that this process measures from (default: ${DEFAULT-VALUE}).")
  String region = "local";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "4000",
      description = "HTTP port; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  int port = 4000;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Directory for state (default: .lasso in the current directory).")
  @Nullable Path dataDirectory;

  Path dataDirectoryOrDefault() {
    return dataDirectory == null ? Path.of(".lasso") : dataDirectory;
  }
}
