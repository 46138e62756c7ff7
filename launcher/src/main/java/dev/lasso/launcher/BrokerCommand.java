package dev.lasso.launcher;

import dev.lasso.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lasso broker}: a Kafka broker for development, alone in a process. */
@Command(
    name = "broker",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a single Kafka broker for development, without any role.",
      "When it accepts requests, prints one line: lasso ready kafka=HOST:PORT",
      "Ends with code 1 and one line when its disk is full or broken."
    })
final class BrokerCommand implements Callable<Integer> {
  private static final long WATCH_MS = 250;

  @Mixin private final BrokerOptions options = new BrokerOptions();

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Directory for state (default: .lasso in the current directory).")
  private @Nullable Path dataDirectory;

  @Override
  public Integer call() throws InterruptedException {
    Ports.requireFree("kafka port", options.kafkaPort);
    Path directory = dataDirectory == null ? Path.of(".lasso") : dataDirectory;
    EmbeddedBroker broker = options.broker(directory).start();
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(broker::close));
    System.out.println("lasso ready kafka=" + broker.bootstrapServers());
    System.out.flush();
    CountDownLatch told = new CountDownLatch(1); // the process is told to stop by a signal
    while (broker.failure().isEmpty()) {
      told.await(WATCH_MS, TimeUnit.MILLISECONDS);
    }
    throw new CommandFailed(
        "the Kafka broker ended: "
            + Directories.fullOr(directory, broker.failure().orElseThrow())
            + "; what it acknowledged is kept, start it again when that is mended");
  }
}
