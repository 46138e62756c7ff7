package dev.lasso.system.broker;

import dev.lasso.broker.EmbeddedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** A broker that the contract is asked of. */
enum BrokerKind {
  /** The one that {@code lasso up} and the tests start in their own process. */
  EMBEDDED {
    @Override
    @Nullable String missing() {
      return null;
    }

    @Override
    Running start() {
      EmbeddedBroker broker = EmbeddedBroker.ephemeral(0).start();
      return new Running(broker.bootstrapServers(), broker::close);
    }
  },
  /** The official image, where a Docker engine is at hand. */
  CONTAINER {
    @Override
    @Nullable String missing() {
      boolean looksLikeDocker =
          System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
      return looksLikeDocker && DockerClientFactory.instance().isDockerAvailable()
          ? null
          : "no Docker engine: neither DOCKER_HOST nor /var/run/docker.sock answers";
    }

    @Override
    Running start() {
      KafkaContainer container =
          new KafkaContainer(DockerImageName.parse(IMAGE))
              .withEnv("KAFKA_MESSAGE_MAX_BYTES", Integer.toString(16 << 20));
      container.start();
      return new Running(container.getBootstrapServers(), container::stop);
    }
  };

  /** As docker-compose.yml has it. */
  static final String IMAGE = "apache/kafka:4.3.1";

  /** A broker that runs. */
  record Running(String bootstrapServers, Runnable stop) implements AutoCloseable {
    @Override
    public void close() {
      stop.run();
    }
  }

  /** Why it can't be started here, or null when it can. */
  abstract @Nullable String missing();

  /** Starts it; the caller closes it. */
  abstract Running start();
}
