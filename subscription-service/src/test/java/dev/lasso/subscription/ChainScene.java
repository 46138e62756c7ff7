package dev.lasso.subscription;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.MethodAccess;
import dev.lasso.routing.profile.Monitoring;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.profile.Selection;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.routing.profile.Templated;
import dev.lasso.routing.profile.WebSocketSettings;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.schemas.admin.TopicAdmin;
import dev.lasso.simulator.ProviderSpec;
import dev.lasso.simulator.SimProvider;
import dev.lasso.simulator.Simulation;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.simulator.chain.SimChain;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated chain that mines by command, two providers of it, topics of their own in a broker,
 * and somebody who tells of heads as blocksync-service would. Processes are started on it.
 */
final class ChainScene implements AutoCloseable {
  static final ChainId CHAIN = ChainId.of(1);

  final Simulation simulation;
  final TopicCatalogue topics;
  private final String bootstrap;
  private final Path directory;
  private final UnaryOperator<String> reached;
  private final int rpsLimit;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Producer<byte[], byte[]> producer;
  private final List<SubscriptionRig> rigs = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService watcher =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
  private volatile @Nullable String lastSeen;
  private volatile String watched = "one";

  /**
   * @param rpsLimit calls per second of one client; 0 for no limit
   */
  ChainScene(String bootstrap, String prefix, Path directory, int rpsLimit) {
    this(bootstrap, prefix, directory, rpsLimit, url -> url);
  }

  /**
   * As {@link #ChainScene(String, String, Path, int)}.
   *
   * @param reached gives the address under which Lasso is to know a provider's HTTP address
   */
  ChainScene(
      String bootstrap,
      String prefix,
      Path directory,
      int rpsLimit,
      UnaryOperator<String> reached) {
    this.bootstrap = bootstrap;
    this.directory = directory;
    this.reached = reached;
    simulation =
        Simulation.builder()
            .mineByCommandOnly()
            .chain(ChainSpec.of("ethereum", 1).withInitialBlocks(50))
            .provider(ProviderSpec.of("one", "ethereum"))
            .provider(ProviderSpec.of("two", "ethereum"))
            .build();
    simulation.start().await();
    topics = new TopicCatalogue(TopicSettings.defaults().withPrefix(prefix).withPartitions(2));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      new TopicAdmin(admin, topics, Duration.ofSeconds(30)).apply();
    }
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "linger.ms", 0),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    this.rpsLimit = rpsLimit;
    apply("first");
    var _ = watcher.scheduleWithFixedDelay(this::watch, 0, 10, TimeUnit.MILLISECONDS);
  }

  /** Gives the profile another key for both providers, which makes them other instances. */
  void apply(String key) {
    var _ = producer.send(topics.profiles().encoded(profile(key)));
  }

  private Profile profile(String key) {
    return new Profile(
        ProfileSlug.of("default"),
        "Default",
        rpsLimit,
        rpsLimit,
        List.of(
            new ChainProfile(
                CHAIN,
                ChainName.of("ethereum"),
                "Ethereum",
                1_000,
                List.of(),
                new Monitoring(1_000, 5),
                Selection.DEFAULT,
                new WebSocketSettings(true, 1_000),
                new SubscriptionSettings(
                    200,
                    60_000,
                    SubscriptionSettings.ContinuityPolicy.BEST_EFFORT,
                    256,
                    30_000,
                    3,
                    5_000,
                    100),
                RoutingSettings.DEFAULT,
                MethodAccess.DEFAULT,
                List.of(provider("one", key), provider("two", key)))));
  }

  private Provider provider(String id, String key) {
    SimProvider simulated = simulation.provider(id);
    return new Provider(
        ProviderId.of(id),
        id,
        Templated.parse(reached.apply(simulated.httpUrl())),
        Templated.parse(simulated.wsUrl()),
        100,
        true,
        true,
        Map.of("x-key", Templated.parse(key)),
        null,
        Sharing.SHARED,
        Capabilities.ALL);
  }

  /** Starts a process. */
  SubscriptionRig process(Map<String, String> settings) {
    SubscriptionRig rig = new SubscriptionRig(bootstrap, topics, directory, settings).start();
    rigs.add(rig);
    return rig;
  }

  SimChain chain() {
    return simulation.chain("ethereum");
  }

  /** Mines blocks one by one, each announced before the next. */
  List<SimBlock> mine(int blocks) {
    List<SimBlock> mined = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      mined.add(chain().mine());
    }
    return mined;
  }

  /** From now on heads are seen at this provider. */
  void watch(String provider) {
    watched = provider;
  }

  /** The head is told once more, as if it were new. */
  void seeAgain() {
    lastSeen = null;
  }

  /** Writes events of another chain into all partitions, as if it shared each with this one. */
  void writeOfABusyChain(int events) {
    for (int partition = 0; partition < topics.chainEvents().spec().partitions(); partition++) {
      for (int i = 1; i <= events; i++) {
        ProducerRecord<byte[], byte[]> record =
            topics
                .chainEvents()
                .encoded(
                    new ChainEvent.Gap(
                        ChainId.of(2), i, System.currentTimeMillis(), i, i, "a busy chain"));
        var _ =
            producer.send(
                new ProducerRecord<>(record.topic(), partition, record.key(), record.value()));
      }
    }
    producer.flush();
  }

  /** Tells the fleet that the chain is so high now, with a block each second. */
  void agreedOn(long height) {
    long nowMs = System.currentTimeMillis();
    var _ =
        producer.send(
            topics
                .chainState()
                .encoded(
                    new ChainState(
                        Region.of("local"),
                        CHAIN,
                        nowMs,
                        height,
                        nowMs,
                        null,
                        null,
                        1_000.0,
                        List.of())));
  }

  /** Sees a head as a poll of a provider would. */
  private void watch() {
    try {
      look();
    } catch (IOException | RuntimeException _) {
      // the provider, or the broker, is away
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws IOException, InterruptedException {
    String body =
        http.send(
                HttpRequest.newBuilder(URI.create(simulation.provider(watched).httpUrl()))
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBlockByNumber\","
                                + "\"params\":[\"latest\",false]}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    HeadBlock head =
        BlockJson.block(JsonSlice.of(new JsonObject(body).getJsonObject("result").encode()), "one");
    if (head != null && !head.hash().equals(lastSeen)) {
      lastSeen = head.hash();
      seen(head);
    }
  }

  /** Tells the fleet of a head. */
  void seen(HeadBlock head) {
    var _ =
        producer.send(
            topics
                .upstreamHeads()
                .encoded(
                    new HeadSighting(
                        Region.of("local"),
                        "watcher",
                        CHAIN,
                        InstanceId.of("one-0123456789ab"),
                        head.number(),
                        head.hash(),
                        head.parentHash(),
                        head.header(),
                        HeadSighting.Source.HTTP_POLL,
                        System.currentTimeMillis(),
                        1,
                        false,
                        null,
                        null)));
  }

  /** Writes a filter as some process would. */
  void write(ClientFilter filter) {
    try {
      var _ = producer.send(topics.filters().encoded(filter)).get();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The filters that were ever written, each with whether it is still there. */
  Map<String, Boolean> filters() {
    Map<String, Boolean> found = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topics.filters().name()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(
                record ->
                    found.put(
                        new String(record.key(), StandardCharsets.UTF_8), record.value() != null));
      }
    }
    return found;
  }

  @Override
  public void close() {
    watcher.shutdownNow();
    rigs.forEach(SubscriptionRig::close);
    producer.close(Duration.ofSeconds(1));
    simulation.close();
  }
}
