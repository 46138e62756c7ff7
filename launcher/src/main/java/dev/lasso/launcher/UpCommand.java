package dev.lasso.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lasso up}: the whole platform in one process, with a Kafka broker of its own. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Runs every role and an embedded Kafka broker in one process.",
      "When all is up, prints one line: lasso ready http=URL ws=URL kafka=HOST:PORT"
    })
final class UpCommand implements Callable<Integer> {
  @Mixin private final ProcessOptions process = new ProcessOptions();
  @Mixin private final BrokerOptions broker = new BrokerOptions();

  @Option(
      names = "--profiles",
      paramLabel = "DIR",
      required = true,
      description = "Directory of profile files, or one file.")
  private Path profiles = Path.of("config/profiles");

  @Override
  public Integer call() throws Exception {
    Ports.requireFree("port", process.port);
    Ports.requireFree("kafka port", broker.kafkaPort);
    return new LocalStack(process, broker).run(ProfileLoading.load(profiles), List.of());
  }
}
