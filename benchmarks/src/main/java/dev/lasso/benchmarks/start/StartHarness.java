package dev.lasso.benchmarks.start;

import dev.lasso.benchmarks.LassoProcesses;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the time from starting a gateway process to its being ready, with few and with many rows
 * in {@code provider-metrics}, and with a history of older versions of them. Prints a Markdown
 * table.
 */
@Command(
    name = "benchmarks/start",
    mixinStandardHelpOptions = true,
    description = "How long a gateway takes to be ready, however much the topics hold.")
public final class StartHarness implements Callable<Integer> {
  private static final int METHODS = 100;
  private static final String REGION = "local";
  // the image takes these from a container's limit, ./lasso sets its own
  private static final String SMALL_CONTAINER = "-Xms64m -Xmx160m -XX:+UseSerialGC";

  @Option(
      names = "--keys",
      split = ",",
      defaultValue = "0,10000,100000",
      description = "Rows of provider-metrics, by commas (default: ${DEFAULT-VALUE}).")
  private List<Integer> keys = List.of();

  @Option(
      names = "--hours",
      defaultValue = "0",
      description =
          "Hours of older versions, one each minute, written before (default: ${DEFAULT-VALUE}).")
  private int hours;

  @Option(
      names = "--starts",
      defaultValue = "3",
      description = "Starts of which the median counts (default: ${DEFAULT-VALUE}).")
  private int starts = 3;

  @Option(
      names = "--image",
      paramLabel = "DIR",
      description =
          "Start the gateway as the image does, from what docker/assemble and bin/train laid out"
              + " there, instead of by ./lasso.")
  private @Nullable Path image;

  @Option(names = "--home", required = true, description = "The checkout, with everything built.")
  private Path home = Path.of(".");

  /** Runs the harness. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new StartHarness()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    System.out.println("| rows | records | ready after ms (median) | resident MiB |");
    System.out.println("|---|---|---|---|");
    for (int rows : keys) {
      measure(rows);
    }
    return 0;
  }

  private void measure(int rows) throws Exception {
    Path directory = Files.createTempDirectory("lasso-start-");
    try (LassoProcesses lasso = new LassoProcesses(home, directory);
        LassoProcesses gateways =
            image == null
                ? new LassoProcesses(home, directory)
                : LassoProcesses.ofImage(image, directory)) {
      String kafka =
          lasso.ready(
              lasso.start("broker", Map.of(), "broker", "--ephemeral", "--kafka-port", "0"),
              "kafka");
      lasso.run("topics", "topics", "apply", "--kafka", kafka);
      Profile profile = profile(Math.max(1, (rows + METHODS - 1) / METHODS));
      long records = write(kafka, profile, rows);
      List<Long> readyMs = new ArrayList<>();
      long residentMib = 0;
      for (int i = 0; i < starts; i++) {
        long beganNs = System.nanoTime();
        Process gateway =
            gateways.start(
                "gateway-" + i,
                Map.of("LASSO_JAVA_OPTS", image == null ? " " : SMALL_CONTAINER),
                "gateway",
                "--kafka",
                kafka,
                "--port",
                "0",
                "--data-dir",
                directory.resolve("gateway-" + i).toString());
        gateways.ready(gateway, "http");
        readyMs.add((System.nanoTime() - beganNs) / 1_000_000);
        residentMib = LassoProcesses.residentMib(gateway);
        gateways.end(gateway);
      }
      readyMs.sort(null);
      System.out.printf(
          Locale.ROOT,
          "| %,d | %,d | %,d | %d |%n",
          rows,
          records,
          readyMs.get(readyMs.size() / 2),
          residentMib);
    }
  }

  private static Profile profile(int providers) {
    List<Provider> all = new ArrayList<>();
    for (int i = 0; i < providers; i++) {
      all.add(Provider.of(ProviderId.of("p" + i), "http://127.0.0.1:9/" + i));
    }
    return new Profile(
        ProfileSlug.DEFAULT,
        "Default",
        0,
        0,
        List.of(ChainProfile.of(ChainId.of(1), ChainName.of("ethereum"), all)));
  }

  /** Writes the profile and the rows; the number of records. */
  private long write(String kafka, Profile profile, int rows) {
    TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());
    KafkaConnection connection =
        KafkaConnection.of(
            kafka,
            topics.settings().prefix(),
            new ProcessId("benchmark", REGION, "start-1", "1", Instant.now()));
    long records = 1;
    try (Producer<byte[], byte[]> producer =
        connection.producer(
            "rows",
            ProducerLimits.acknowledged(),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      var _ = producer.send(topics.profiles().encoded(profile));
      long nowMs = System.currentTimeMillis();
      for (int minute = 60 * hours; minute >= 0; minute--) {
        long atMs = nowMs - Duration.ofMinutes(minute).toMillis();
        for (int row = 0; row < rows; row++) {
          var _ = producer.send(at(atMs, topics.providerMetrics(), metrics(profile, row, atMs)));
          records++;
        }
      }
      producer.flush();
    }
    return records;
  }

  private static <V> ProducerRecord<byte[], byte[]> at(long atMs, Topic<?, V> topic, V value) {
    ProducerRecord<byte[], byte[]> record = topic.encoded(value);
    return new ProducerRecord<>(record.topic(), null, atMs, record.key(), record.value());
  }

  private static ProviderMetrics metrics(Profile profile, int row, long atMs) {
    ChainProfile chain = profile.chains().getFirst();
    Provider provider = chain.providers().get(row / METHODS);
    if (!(provider.resolve(chain.chainId(), profile.slug(), _ -> null)
        instanceof Resolution.Usable(var endpoint))) {
      throw new IllegalStateException("a provider without variables can be resolved");
    }
    return new ProviderMetrics(
        Region.of(REGION),
        profile.slug(),
        chain.chainId(),
        new Channel(provider.id(), endpoint.instance(), Transport.HTTP),
        "eth_method" + row % METHODS,
        atMs,
        20 + row % 50,
        40 + row % 50,
        90 + row % 50,
        25 + row % 50,
        0.99,
        500,
        1);
  }
}
