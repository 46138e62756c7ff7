package dev.lasso.benchmarks.trace;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import dev.lasso.schemas.trace.TraceHeader;
import dev.lasso.schemas.trace.TraceWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes a trace of a made-up day: {@code WriteTrace FILE RECORDS}. Of ten records two are probes,
 * three attempts, two heads, and one each changes health, heights and evidence of 20 instances on
 * four chains. The same count gives the same records.
 */
public final class WriteTrace {
  private static final long DAY_MS = 86_400_000;
  private static final long START_MS = 1_764_460_800_000L;
  private static final int CHAINS = 4;
  private static final int INSTANCES_PER_CHAIN = 5;
  private static final Region REGION = Region.of("local");
  private static final ProfileSlug SLUG = ProfileSlug.of("default");
  private static final String[] METHODS = {"eth_call", "eth_getBalance", "eth_blockNumber"};

  private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());
  private final SplittableRandom random = new SplittableRandom(1);
  private final Map<String, Long> offsets = new HashMap<>();
  private final TraceWriter out;
  private long nowMs = START_MS;

  private WriteTrace(TraceWriter out) {
    this.out = out;
  }

  /** Writes the file. */
  public static void main(String[] arguments) {
    Path file = Path.of(arguments[0]);
    long records = Long.parseLong(arguments[1]);
    TraceHeader header =
        new TraceHeader(
            START_MS + DAY_MS, START_MS, START_MS + DAY_MS, SnapshotPosition.START, List.of());
    TopicCatalogue topics = new TopicCatalogue(TopicSettings.defaults());
    try (TraceWriter out = TraceWriter.create(file, header, topics)) {
      new WriteTrace(out).write(records);
      out.finish();
    }
  }

  private void write(long records) {
    add(topics.profiles(), profile());
    for (long i = 1; i < records; i++) {
      nowMs = START_MS + i * DAY_MS / records;
      switch ((int) (i % 10)) {
        case 0, 1 -> add(topics.probes(), probe());
        case 2, 3, 4 -> add(topics.attempts(), attempt(i));
        case 5, 6 -> add(topics.upstreamHeads(), head(i));
        case 7 -> add(topics.instanceHealth(), health());
        case 8 -> add(topics.chainState(), heights(i));
        default -> add(topics.providerMetrics(), metrics());
      }
    }
  }

  private <V> void add(Topic<?, V> topic, V value) {
    ProducerRecord<byte[], byte[]> record = topic.encoded(value);
    int partition = Math.floorMod(Arrays.hashCode(record.key()), topic.spec().partitions());
    long offset = offsets.merge(topic.id().word() + partition, 1L, Long::sum) - 1;
    out.add(new RawRecord(topic.id(), partition, offset, nowMs, record.key(), record.value()));
  }

  private static ChainId chain(int number) {
    return ChainId.of(number + 1);
  }

  private static InstanceId instance(int chain, int number) {
    return InstanceId.of("provider.example-%06x%06x".formatted(chain, number));
  }

  private static Profile profile() {
    List<ChainProfile> chains = new ArrayList<>();
    for (int chain = 0; chain < CHAINS; chain++) {
      List<Provider> providers = new ArrayList<>();
      for (int i = 0; i < INSTANCES_PER_CHAIN; i++) {
        providers.add(
            Provider.of(
                ProviderId.of("p" + i), "http://redacted.invalid/" + instance(chain, i).value()));
      }
      chains.add(ChainProfile.of(chain(chain), ChainName.of("chain-" + chain), providers));
    }
    return new Profile(SLUG, "Default", 0, 0, chains);
  }

  private int anyChain() {
    return random.nextInt(CHAINS);
  }

  private static Channel channel(int chain, int number) {
    return new Channel(ProviderId.of("p" + number), instance(chain, number), Transport.HTTP);
  }

  private int anyInstance() {
    return random.nextInt(INSTANCES_PER_CHAIN);
  }

  private ProbeResult probe() {
    int chain = anyChain();
    return new ProbeResult(
        REGION,
        "health-1",
        chain(chain),
        new Endpoint(instance(chain, anyInstance()), Transport.HTTP),
        nowMs,
        20 + random.nextDouble() * 50,
        new AttemptOutcome.Success(),
        (long) chain + 1,
        1_000L,
        false);
  }

  private Attempt attempt(long number) {
    int chain = anyChain();
    return new Attempt(
        REGION,
        "gateway-1",
        SLUG,
        chain(chain),
        channel(chain, anyInstance()),
        METHODS[random.nextInt(METHODS.length)],
        new RequestId(Long.toHexString(number)),
        nowMs,
        20 + random.nextDouble() * 50,
        new AttemptOutcome.Success(),
        0,
        3);
  }

  private HeadSighting head(long number) {
    int chain = anyChain();
    return new HeadSighting(
        REGION,
        "blocksync-1",
        chain(chain),
        instance(chain, anyInstance()),
        number,
        "0x%064x".formatted(number),
        "0x%064x".formatted(number - 1),
        null,
        HeadSighting.Source.HTTP_POLL,
        nowMs,
        12,
        false,
        null,
        null);
  }

  private InstanceHealth health() {
    int chain = anyChain();
    return new InstanceHealth(
        REGION,
        chain(chain),
        new Endpoint(instance(chain, anyInstance()), Transport.HTTP),
        nowMs,
        HealthStatus.HEALTHY,
        CircuitStatus.CLOSED,
        0,
        0,
        0,
        0,
        0,
        0,
        9,
        null,
        null,
        0,
        nowMs,
        List.of());
  }

  private ChainState heights(long number) {
    int chain = anyChain();
    List<ChainState.InstanceHeight> heights = new ArrayList<>();
    for (int i = 0; i < INSTANCES_PER_CHAIN; i++) {
      heights.add(
          new ChainState.InstanceHeight(instance(chain, i), number, nowMs, nowMs, false, false));
    }
    return new ChainState(REGION, chain(chain), nowMs, number, nowMs, null, null, 2_000.0, heights);
  }

  private ProviderMetrics metrics() {
    int chain = anyChain();
    return new ProviderMetrics(
        REGION,
        SLUG,
        chain(chain),
        channel(chain, anyInstance()),
        METHODS[random.nextInt(METHODS.length)],
        nowMs,
        20,
        40,
        80,
        25,
        0.99,
        100,
        0.9);
  }
}
