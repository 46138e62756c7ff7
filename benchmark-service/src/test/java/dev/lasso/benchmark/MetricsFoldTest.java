package dev.lasso.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.schemas.MetricsKey;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** The fold of a process whose time goes back, which a topology's driver can't play. */
class MetricsFoldTest {
  private static final TopicCatalogue TOPICS = new TopicCatalogue(TopicSettings.defaults());
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final long HOUR_MS = 3_600_000;

  private final MockProcessorContext<MetricsKey, ProviderMetrics> context =
      new MockProcessorContext<>();
  private final KeyValueStore<Slice, Bucket> buckets =
      Stores.keyValueStoreBuilder(
              Stores.inMemoryKeyValueStore(MetricsFold.BUCKETS),
              Slice.serde(TOPICS.latencyDigests().keySerde()),
              BucketSerde.create())
          .withLoggingDisabled()
          .build();
  private final KeyValueStore<MetricsKey, ProviderMetrics> rows =
      Stores.keyValueStoreBuilder(
              Stores.inMemoryKeyValueStore(MetricsFold.ROWS),
              TOPICS.providerMetrics().keySerde(),
              TOPICS.providerMetrics().valueSerde())
          .withLoggingDisabled()
          .build();

  MetricsFoldTest() {
    buckets.init(context.getStateStoreContext(), buckets);
    rows.init(context.getStateStoreContext(), rows);
  }

  @Test
  void publishesThoughTheProcessesTimeWentBack() {
    MetricsFold fold = foldAt(NOW_MS + HOUR_MS);
    tell(fold, NOW_MS + HOUR_MS);

    context.setCurrentSystemTimeMs(NOW_MS);
    tell(fold, NOW_MS);

    assertThat(published())
        .extracting(ProviderMetrics::updatedAtMs)
        .containsExactly(NOW_MS + HOUR_MS, NOW_MS);
    assertThat(published()).extracting(ProviderMetrics::calls).containsExactly(1L, 1L);
  }

  @Test
  void dropsTheBucketsOfTheFutureThatItTakesOver() {
    tell(foldAt(NOW_MS + HOUR_MS), NOW_MS + HOUR_MS);

    foldAt(NOW_MS);

    try (var all = buckets.all()) {
      assertThat(all).isExhausted();
    }
  }

  private MetricsFold foldAt(long nowMs) {
    context.setCurrentSystemTimeMs(nowMs);
    MetricsFold fold = new MetricsFold(BenchmarkPolicy.DEFAULT, new HashSet<>());
    fold.init(context);
    return fold;
  }

  private static void tell(MetricsFold fold, long nowMs) {
    LatencyDigest digest = digest(nowMs);
    fold.process(new Record<>(MetricsKey.of(digest), digest, nowMs));
  }

  private List<ProviderMetrics> published() {
    return context.forwarded().stream()
        .<ProviderMetrics>map(forward -> forward.record().value())
        .toList();
  }

  private static LatencyDigest digest(long toMs) {
    Histogram latencies = new Histogram(2);
    latencies.recordValue(10_000);
    ByteBuffer encoded = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
    latencies.encodeIntoCompressedByteBuffer(encoded);
    encoded.flip();
    return new LatencyDigest(
        Region.of("eu"),
        "gateway-1",
        ProfileSlug.of("default"),
        ChainId.of(1),
        new Channel(ProviderId.of("one"), InstanceId.of("node-1"), Transport.HTTP),
        "eth_call",
        toMs - 2_000,
        toMs,
        Bytes.copyOf(encoded),
        1,
        Map.of());
  }
}
