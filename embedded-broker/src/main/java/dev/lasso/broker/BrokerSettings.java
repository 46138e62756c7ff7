package dev.lasso.broker;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a single-node broker that shares its process and its two or so cores with
 * everything else: one copy of each topic, few internal partitions, small buffers, the largest
 * record 16 MiB as the topic catalogue allows.
 *
 * @see <a href="https://kafka.apache.org/documentation/#brokerconfigs">broker settings</a>
 */
final class BrokerSettings {
  static final int NODE_ID = 1;
  private static final int MESSAGE_MAX_BYTES = 16 * 1024 * 1024;

  private BrokerSettings() {}

  static Map<String, String> of(
      Path directory, ListenSockets sockets, @Nullable SecureListener secure) {
    Map<String, String> settings = new HashMap<>();
    settings.putAll(identity(directory, sockets));
    settings.putAll(singleCopy());
    settings.putAll(limits());
    settings.putAll(smallFootprint());
    if (secure != null) {
      settings.putAll(secured(settings, sockets, secure));
    }
    return settings;
  }

  private static Map<String, String> identity(Path directory, ListenSockets sockets) {
    String controller = ListenSockets.HOST + ":" + sockets.controllerPort();
    return Map.of(
        "process.roles",
        "broker,controller",
        "node.id",
        Integer.toString(NODE_ID),
        "log.dirs",
        directory.toString(),
        "listeners",
        ListenSockets.BROKER
            + "://"
            + ListenSockets.HOST
            + ":"
            + sockets.brokerPort()
            + ","
            + ListenSockets.CONTROLLER
            + "://"
            + controller,
        "listener.security.protocol.map",
        ListenSockets.BROKER + ":PLAINTEXT," + ListenSockets.CONTROLLER + ":PLAINTEXT",
        "inter.broker.listener.name",
        ListenSockets.BROKER,
        "controller.listener.names",
        ListenSockets.CONTROLLER,
        // static voters are read at each start and stored nowhere, so the controller's port may
        // differ from start to start
        "controller.quorum.voters",
        NODE_ID + "@" + controller,
        "server.max.startup.time.ms",
        "60000");
  }

  /** A further listener, and what each user may do as its access rules say. */
  private static Map<String, String> secured(
      Map<String, String> open, ListenSockets sockets, SecureListener secure) {
    String listener = ListenSockets.SECURE;
    String prefix = "listener.name.secure.";
    return Map.of(
        "listeners",
        open.get("listeners")
            + ","
            + listener
            + "://"
            + ListenSockets.HOST
            + ":"
            + sockets.securePort(),
        "listener.security.protocol.map",
        open.get("listener.security.protocol.map") + "," + listener + ":SASL_SSL",
        prefix + "sasl.enabled.mechanisms",
        "SCRAM-SHA-512",
        prefix + "scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;",
        prefix + "ssl.keystore.type",
        "PKCS12",
        prefix + "ssl.keystore.location",
        secure.keyStore().toString(),
        prefix + "ssl.keystore.password",
        secure.password(),
        "authorizer.class.name",
        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        // whoever comes through the open listener, the broker itself included
        "super.users",
        "User:ANONYMOUS");
  }

  private static Map<String, String> singleCopy() {
    return Map.of(
        "default.replication.factor", "1",
        "min.insync.replicas", "1",
        "offsets.topic.replication.factor", "1",
        "offsets.topic.num.partitions", "4",
        "transaction.state.log.replication.factor", "1",
        "transaction.state.log.min.isr", "1",
        "transaction.state.log.num.partitions", "4",
        "share.coordinator.state.topic.replication.factor", "1",
        "share.coordinator.state.topic.min.isr", "1",
        "share.coordinator.state.topic.num.partitions", "4");
  }

  private static Map<String, String> limits() {
    return Map.of(
        "message.max.bytes",
        Integer.toString(MESSAGE_MAX_BYTES),
        "replica.fetch.max.bytes",
        Integer.toString(MESSAGE_MAX_BYTES),
        // a topic missing or misspelt must be an error, not a topic with the wrong settings
        "auto.create.topics.enable",
        "false",
        // a broker that was killed is registered for the length of a session, and its successor has
        // to wait; 9 s would be half of an outage. Broker and controller are one process, so a
        // session ends only when that stood still, and a heartbeat afterwards begins another
        "broker.session.timeout.ms",
        "3000",
        "broker.heartbeat.interval.ms",
        "500",
        // members of a group join when they come; nobody waits for more of them
        "group.initial.rebalance.delay.ms",
        "0");
  }

  private static Map<String, String> smallFootprint() {
    return Map.ofEntries(
        Map.entry("num.network.threads", "2"),
        Map.entry("num.io.threads", "4"),
        Map.entry("num.recovery.threads.per.data.dir", "2"),
        Map.entry("background.threads", "2"),
        Map.entry("group.coordinator.threads", "1"),
        Map.entry("share.coordinator.threads", "1"),
        Map.entry("log.cleaner.threads", "1"),
        Map.entry("log.cleaner.dedupe.buffer.size", Integer.toString(8 * 1024 * 1024)),
        Map.entry("log.cleaner.io.buffer.size", Integer.toString(256 * 1024)),
        Map.entry("log.segment.bytes", Integer.toString(128 * 1024 * 1024)),
        Map.entry("log.index.size.max.bytes", Integer.toString(1024 * 1024)),
        // an idle cluster need not write (and sync) a metadata record twice a second
        Map.entry("metadata.max.idle.interval.ms", "5000"),
        // no JMX: the platform's own metrics tell what matters here
        Map.entry("metric.reporters", ""));
  }
}
