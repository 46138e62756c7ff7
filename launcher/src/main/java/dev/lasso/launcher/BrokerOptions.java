package dev.lasso.launcher;

import dev.lasso.broker.EmbeddedBroker;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of every command that runs the embedded broker. */
final class BrokerOptions {
  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      defaultValue = "9092",
      description =
          "Port of the embedded Kafka broker; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  int kafkaPort = 9092;

  @Option(
      names = "--ephemeral",
      description = "Keep the broker's data in a temporary directory and delete it at the end.")
  boolean ephemeral;

  EmbeddedBroker broker(Path dataDirectory) {
    return ephemeral
        ? EmbeddedBroker.ephemeral(kafkaPort)
        : EmbeddedBroker.in(dataDirectory.resolve("kafka"), kafkaPort);
  }
}
