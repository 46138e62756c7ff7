package dev.lasso.runtime.kafka;

import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.settings.NearestName;
import dev.lasso.runtime.settings.SettingsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.StreamsConfig;

/**
 * How a process reaches Kafka, and the clients it makes from that. Immutable; each client it makes
 * belongs to the caller, who closes it.
 *
 * @param bootstrap {@code host:port}, several separated by commas
 * @param topicPrefix in front of every topic name, {@code lasso.}
 * @param clientId of this process; each client adds its purpose
 * @param clientProperties given to every client that knows them, credentials for example; never
 *     printed
 */
public record KafkaConnection(
    String bootstrap, String topicPrefix, String clientId, Map<String, String> clientProperties) {
  /**
   * Variables with this prefix are client properties: {@code LASSO_KAFKA_SASL_MECHANISM} is {@code
   * sasl.mechanism}.
   */
  public static final String ENVIRONMENT_PREFIX = "LASSO_KAFKA_";

  /**
   * The longest an administrative question may take, milliseconds; after that Kafka counts as away.
   */
  static final int ADMIN_TIMEOUT_MS = 3_000;

  private static final int COMMAND_TIMEOUT_MS = 10_000;

  /**
   * Time between heartbeats of a group's member, milliseconds. With its answer a member learns that
   * another one is gone, so it is part of every takeover.
   */
  private static final long HEARTBEAT_MS = 500;

  public KafkaConnection {
    if (bootstrap.isBlank()) {
      throw new IllegalArgumentException("Kafka's address is missing, expected host:port");
    }
    clientProperties = Map.copyOf(clientProperties);
  }

  /** A connection without further properties. */
  public static KafkaConnection of(String bootstrap, String topicPrefix, ProcessId process) {
    return new KafkaConnection(bootstrap, topicPrefix, process.process(), Map.of());
  }

  /**
   * A connection with the client properties that the environment names.
   *
   * @param environment as {@link System#getenv()}
   * @throws SettingsException when a variable beginning with {@link #ENVIRONMENT_PREFIX} is no
   *     property of any Kafka client
   */
  public static KafkaConnection of(
      String bootstrap, String topicPrefix, ProcessId process, Map<String, String> environment) {
    return new KafkaConnection(
        bootstrap, topicPrefix, process.process(), clientPropertiesIn(environment));
  }

  private static Map<String, String> clientPropertiesIn(Map<String, String> environment) {
    Set<String> known = knownProperties();
    Map<String, String> properties = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    environment.keySet().stream()
        .filter(variable -> variable.startsWith(ENVIRONMENT_PREFIX))
        .sorted()
        .forEach(
            variable -> {
              String property = propertyOf(variable);
              if (known.contains(property)) {
                properties.put(property, environment.getOrDefault(variable, ""));
              } else {
                problems.add(unknownProperty(variable, property, known));
              }
            });
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return properties;
  }

  /** The full name of the topic that the catalogue calls {@code name}. */
  public String topic(String name) {
    return topicPrefix + name;
  }

  /**
   * A producer: all replicas acknowledge, idempotent, zstd, records up to 16 MiB. Thread-safe.
   *
   * @param purpose ends the client id, {@code attempts}
   * @throws KafkaException when no address can be resolved or a client property can't be used
   */
  public <K, V> Producer<K, V> producer(
      String purpose, ProducerLimits limits, Serializer<K> keys, Serializer<V> values) {
    Map<String, Object> settings = client(purpose, ProducerConfig.configNames(), tuning(limits));
    return made(() -> new KafkaProducer<>(settings, keys, values));
  }

  /**
   * A producer whose records become visible in transactions. Starting its transactions ends those
   * of an earlier producer with the same transactional id, which can write nothing afterwards.
   * Belongs to one thread.
   *
   * @param purpose ends the client id
   * @param transactionalId names the work that only one producer at a time may do
   * @throws KafkaException when no address can be resolved or a client property can't be used
   */
  public Producer<byte[], byte[]> transactionalProducer(String purpose, String transactionalId) {
    ProducerLimits limits = ProducerLimits.acknowledged();
    Map<String, Object> tuning = tuning(limits);
    tuning.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, limits.deliveryTimeoutMs());
    Map<String, Object> settings = client(purpose, ProducerConfig.configNames(), tuning);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    return made(
        () -> new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()));
  }

  /** What suits every producer with these limits. */
  private static Map<String, Object> tuning(ProducerLimits limits) {
    Map<String, Object> tuning = new HashMap<>();
    tuning.put(ProducerConfig.ACKS_CONFIG, "all");
    tuning.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    tuning.put(ProducerConfig.LINGER_MS_CONFIG, limits.lingerMs());
    tuning.put(ProducerConfig.BUFFER_MEMORY_CONFIG, limits.bufferBytes());
    tuning.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, limits.maxBlockMs());
    tuning.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, limits.deliveryTimeoutMs());
    tuning.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, ProducerLimits.REQUEST_TIMEOUT_MS);
    tuning.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, ProducerLimits.MAX_REQUEST_BYTES);
    return tuning;
  }

  /**
   * A consumer without a group, for reading assigned partitions from wherever the reader wants. It
   * throws when an offset is out of range. Belongs to one thread.
   *
   * @throws KafkaException when no address can be resolved or a client property can't be used
   */
  public Consumer<byte[], byte[]> reader(String purpose) {
    return consumer(readerSettings(purpose));
  }

  /**
   * A consumer in a group: the members share the partitions, offsets are committed by the caller, a
   * new group begins at the beginning. Belongs to one thread.
   *
   * @throws KafkaException when no address can be resolved or a client property can't be used
   */
  public Consumer<byte[], byte[]> groupMember(String purpose, String group) {
    return groupMember(purpose, group, Duration.ofSeconds(10));
  }

  /**
   * As {@link #groupMember(String, String)}.
   *
   * @param session how long the member may be silent before its partitions go to the others
   */
  public Consumer<byte[], byte[]> groupMember(String purpose, String group, Duration session) {
    Map<String, Object> settings = readerSettings(purpose);
    settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) session.toMillis());
    settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, heartbeatMs(session));
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    return consumer(settings);
  }

  /** Time between heartbeats of a member that may be silent for so long, milliseconds. */
  static int heartbeatMs(Duration session) {
    return (int) Math.min(session.toMillis() / 3, HEARTBEAT_MS);
  }

  /**
   * An administrative client that gives up after three seconds. Thread-safe.
   *
   * @throws KafkaException when no address can be resolved or a client property can't be used
   */
  public Admin admin(String purpose) {
    return admin(purpose, ADMIN_TIMEOUT_MS);
  }

  /**
   * An administrative client for a command: it has more patience, ten seconds, since a JVM that has
   * just been started is slow on a busy machine. Thread-safe.
   *
   * @throws KafkaException when no address can be resolved or a client property can't be used
   */
  public Admin commandAdmin(String purpose) {
    return admin(purpose, COMMAND_TIMEOUT_MS);
  }

  private Admin admin(String purpose, int timeoutMs) {
    Map<String, Object> settings =
        client(
            purpose,
            AdminClientConfig.configNames(),
            Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                timeoutMs,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                timeoutMs - 500));
    return made(() -> Admin.create(settings));
  }

  /**
   * Asks once whether Kafka is there and its topics are as they should be. Blocks for some seconds
   * at most.
   *
   * @return what is wrong, each in a sentence for a person; empty when nothing is
   */
  public List<String> problems(TopicCheck check) throws InterruptedException {
    try (Admin admin = admin("check")) {
      return check.problems(admin);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      return List.of(unreachable(e));
    }
  }

  /** A sentence for a person who wonders why nothing works. */
  public String unreachable(Throwable e) {
    return KafkaTrouble.sentence(bootstrap, e);
  }

  /** Makes a client; what prevents it is told in one sentence. */
  private <C> C made(Supplier<C> client) {
    try {
      return client.get();
    } catch (KafkaException e) {
      throw new KafkaException(unreachable(e), e);
    }
  }

  /** Closes a consumer without waiting for a broker that may be away. */
  static void closeQuickly(Consumer<?, ?> consumer) {
    consumer.close(CloseOptions.timeout(Duration.ofMillis(500)));
  }

  /**
   * The settings of a client: what suits every kind, then {@code tuning}, then what the environment
   * asks for, each overriding the one before.
   *
   * @param known the properties that this kind of client has
   */
  Map<String, Object> client(String purpose, Set<String> known, Map<String, Object> tuning) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("reconnect.backoff.ms", 50);
    settings.put("reconnect.backoff.max.ms", 1_000);
    settings.put("metric.reporters", "");
    settings.put("enable.metrics.push", false);
    settings.putAll(tuning);
    settings.putAll(clientProperties);
    settings.put("bootstrap.servers", bootstrap);
    settings.put("client.id", clientId + "-" + purpose);
    settings.keySet().retainAll(known);
    return settings;
  }

  private Consumer<byte[], byte[]> consumer(Map<String, Object> settings) {
    return made(
        () ->
            new KafkaConsumer<>(
                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
  }

  private Map<String, Object> readerSettings(String purpose) {
    Map<String, Object> settings =
        client(
            purpose,
            ConsumerConfig.configNames(),
            Map.of(
                ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500,
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG, ProducerLimits.MAX_REQUEST_BYTES,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000));
    // not a matter of taste: readers keep their own positions and decide themselves what an offset
    // out of range means
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    // what a transaction wrote counts when it is committed
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return settings;
  }

  static Set<String> knownProperties() {
    Set<String> known = new TreeSet<>(ProducerConfig.configNames());
    known.addAll(ConsumerConfig.configNames());
    known.addAll(AdminClientConfig.configNames());
    known.addAll(StreamsConfig.configDef().names());
    return known;
  }

  private static String unknownProperty(String variable, String property, Set<String> known) {
    return variable
        + ": no Kafka client has a property "
        + property
        + NearestName.to(property, known)
            .map(near -> "; did you mean " + variableOf(near) + "?")
            .orElse("");
  }

  private static String propertyOf(String variable) {
    return variable
        .substring(ENVIRONMENT_PREFIX.length())
        .toLowerCase(Locale.ROOT)
        .replace('_', '.');
  }

  private static String variableOf(String property) {
    return ENVIRONMENT_PREFIX + property.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /** Names of the properties only: their values may be secret. */
  @Override
  public String toString() {
    return "KafkaConnection["
        + bootstrap
        + ", "
        + topicPrefix
        + ", "
        + clientId
        + ", "
        + clientProperties.keySet()
        + "]";
  }
}
