package dev.lasso.launcher;

import dev.lasso.broker.EmbeddedBroker;
import dev.lasso.routing.profile.Profile;
import dev.lasso.runtime.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Every role and a broker in one process: what {@code up} and {@code demo} run. */
final class LocalStack {
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);

  private final ProcessOptions process;
  private final BrokerOptions brokerOptions;

  LocalStack(ProcessOptions process, BrokerOptions brokerOptions) {
    this.process = process;
    this.brokerOptions = brokerOptions;
  }

  /**
   * Starts the broker, puts topics and profiles into it, runs all roles until the process is told
   * to stop.
   *
   * @param profiles to apply
   * @param hints lines for standard error once all is up
   * @return the exit code
   */
  int run(List<Profile> profiles, List<String> hints) throws Exception {
    Settings settings = ProcessSettings.catalogue().read(System.getenv());
    Path directory = process.dataDirectoryOrDefault();
    Directories.requireWritable(directory);
    EmbeddedBroker broker = brokerOptions.broker(directory).start();
    try {
      LassoProcess lasso =
          LassoProcess.assemble(
              new LassoProcess.Start(
                  "all",
                  process.region,
                  broker.bootstrapServers(),
                  directory,
                  settings,
                  System.getenv()),
              Role.all(),
              process.port);
      TopicsAndProfiles.apply(lasso.context(), profiles);
      lasso.startAndSay(READY_WITHIN, broker.bootstrapServers());
      hints.forEach(hint -> System.err.println(hint.replace("HTTP", lasso.httpUrl("http"))));
      lasso.awaitEnd();
    } finally {
      broker.close();
    }
    return 0;
  }
}
