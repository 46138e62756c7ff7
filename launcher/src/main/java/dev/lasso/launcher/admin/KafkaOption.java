package dev.lasso.launcher.admin;

import java.util.Map;
import picocli.CommandLine.Option;

/** Where Kafka is, for commands that work on its topics. */
public final class KafkaOption {
  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9092",
      description = "Kafka's address, several with commas (default: ${DEFAULT-VALUE}).")
  private String bootstrap = "127.0.0.1:9092";

  /** The cluster, with what the environment says of topics and clients. */
  public Cluster cluster(Map<String, String> environment) {
    return Cluster.of(bootstrap, environment);
  }
}
