package dev.lasso.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * One real Apache Kafka broker, with its KRaft controller, inside this process: for a laptop, a
 * demonstration and tests. It listens on the loopback interface only and keeps one copy of
 * everything.
 *
 * <p>The parts are those of {@link KafkaRaftServer}, put together here so that the sockets are
 * bound before anything starts (a taken port is one clear exception and a free one can't be lost
 * again) and so that a fatal fault ends the broker, not the process around it.
 *
 * <p>A stopped broker can be started again: it comes back on the same port with the same data.
 * Methods may be called from any thread; they exclude each other, {@link #start} takes two to three
 * seconds, {@link #stop} about one.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EmbeddedBroker.class);
  private static final Duration CONTROLLED_SHUTDOWN = Duration.ofSeconds(3);

  private final DataDirectory data;
  private final BrokerFaults faults = new BrokerFaults();
  private final @Nullable SecureListener secure;
  private int port;
  private int securePort;
  private @Nullable Running running;

  private record Running(BrokerServer broker, ControllerServer controller, ListenSockets sockets) {}

  private EmbeddedBroker(DataDirectory data, int port, @Nullable SecureListener secure) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("kafka port must be 0 to 65535, was " + port);
    }
    this.data = data;
    this.port = port;
    this.secure = secure;
  }

  /**
   * A broker that keeps its data in {@code directory}, which it owns completely and creates when
   * missing. What an earlier broker left there is used again.
   *
   * @param port TCP port on 127.0.0.1; 0 takes a free one at the first start and keeps it
   */
  public static EmbeddedBroker in(Path directory, int port) {
    return new EmbeddedBroker(DataDirectory.kept(directory), port, null);
  }

  /** A broker whose data lies in a fresh temporary directory and is deleted by {@link #close}. */
  public static EmbeddedBroker ephemeral(int port) {
    return new EmbeddedBroker(DataDirectory.temporary(), port, null);
  }

  /** As {@link #ephemeral(int)} on a free port, with a secure listener on another free port. */
  public static EmbeddedBroker ephemeral(SecureListener secure) {
    return new EmbeddedBroker(DataDirectory.temporary(), 0, secure);
  }

  /**
   * Starts the broker and returns when it accepts requests. Does nothing when it runs already.
   *
   * @return this
   * @throws StartException naming the taken port, the unusable directory or the fault that Kafka
   *     met; nothing is left running then
   */
  public synchronized EmbeddedBroker start() {
    if (running != null) {
      return this;
    }
    long startedNs = System.nanoTime();
    faults.clear();
    Path directory = data.prepare();
    try (ListenSockets sockets = ListenSockets.bind(ports())) {
      running =
          launch(new KafkaConfig(BrokerSettings.of(directory, sockets, secure), false), sockets);
      port = sockets.brokerPort();
      securePort = sockets.securePort();
    } catch (StartException e) {
      throw e;
    } catch (Exception e) {
      throw new StartException(
          "the embedded Kafka broker did not start in " + directory + ": " + rootMessage(e), e);
    }
    log.atInfo()
        .addKeyValue("bootstrap", bootstrapServers())
        .addKeyValue("directory", directory)
        .addKeyValue("tookMs", (System.nanoTime() - startedNs) / 1_000_000)
        .log("embedded broker started");
    return this;
  }

  private Map<String, Integer> ports() {
    return secure == null
        ? Map.of(ListenSockets.BROKER, port, ListenSockets.CONTROLLER, 0)
        : Map.of(
            ListenSockets.BROKER,
            port,
            ListenSockets.CONTROLLER,
            0,
            ListenSockets.SECURE,
            securePort);
  }

  private Running launch(KafkaConfig config, ListenSockets sockets) throws IOException {
    Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> stored =
        KafkaRaftServer.initializeLogDirs(config, log, "");
    MetaPropertiesEnsemble properties = stored._1();
    SharedServer shared =
        new SharedServer(
            config,
            properties,
            Time.SYSTEM,
            Server.initializeMetrics(config, Time.SYSTEM, properties.clusterId().orElseThrow()),
            CompletableFuture.completedFuture(
                QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
            QuorumConfig.parseBootstrapServers(config.quorumConfig().bootstrapServers()),
            faults::handler,
            sockets);
    BrokerServer broker = new BrokerServer(shared);
    ControllerServer controller =
        new ControllerServer(shared, KafkaRaftServer.configSchema(), stored._2());
    Running started = new Running(broker, controller, sockets);
    try {
      controller.startup();
      broker.startup();
      return started;
    } catch (RuntimeException | Error e) {
      shutDown(started);
      throw e;
    }
  }

  /**
   * Stops the broker; what it acknowledged is kept. Clients see connections close and may find it
   * again at the same address after the next {@link #start}. Does nothing when it does not run.
   */
  public synchronized void stop() {
    Running stopping = running;
    if (stopping == null) {
      return;
    }
    running = null;
    shutDown(stopping);
    log.atInfo().addKeyValue("port", port).log("embedded broker stopped");
  }

  private static void shutDown(Running stopping) {
    stopping.broker.shutdown(CONTROLLED_SHUTDOWN);
    stopping.controller.shutdown();
    stopping.sockets.close();
  }

  /** Stops the broker and, when it is ephemeral, deletes its data. */
  @Override
  public synchronized void close() {
    stop();
    data.release();
  }

  /**
   * {@code 127.0.0.1:port}, for {@code bootstrap.servers}. Port 0 stands there until the first
   * start has chosen one.
   */
  public synchronized String bootstrapServers() {
    return ListenSockets.HOST + ":" + port;
  }

  /** {@code 127.0.0.1:port} of the secure listener; port 0 when there is none. */
  public synchronized String secureBootstrapServers() {
    return ListenSockets.HOST + ":" + securePort;
  }

  /** Whether the broker was started, not stopped, and has met no fatal fault. */
  public synchronized boolean isRunning() {
    return running != null && faults.fatal().isEmpty();
  }

  /**
   * What ended the broker without anybody stopping it: a full or broken disk, for example. Cleared
   * by {@link #start}.
   */
  public Optional<String> failure() {
    return faults.fatal();
  }

  private static String rootMessage(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  /** The broker can't be started. The message alone is enough to tell a person what to change. */
  public static final class StartException extends RuntimeException {
    StartException(String message) {
      super(message);
    }

    StartException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
