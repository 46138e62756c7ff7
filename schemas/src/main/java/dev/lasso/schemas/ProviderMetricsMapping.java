package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.schemas.avro.ProviderMetricsRecord;

/** Value of topic {@code provider-metrics}. */
final class ProviderMetricsMapping implements Mapping<ProviderMetrics, ProviderMetricsRecord> {
  @Override
  public ProviderMetricsRecord toAvro(ProviderMetrics value) {
    return ProviderMetricsRecord.newBuilder()
        .setRegion(value.region().value())
        .setProfile(value.profile().value())
        .setChain(value.chain().value())
        .setChannel(Wire.channel(value.channel()))
        .setMethod(value.method())
        .setUpdatedAt(Wire.time(value.updatedAtMs()))
        .setP50Ms(value.p50Ms())
        .setP90Ms(value.p90Ms())
        .setP99Ms(value.p99Ms())
        .setMeanMs(value.meanMs())
        .setSuccessRate(value.successRate())
        .setCalls(value.calls())
        .setConfidence(value.confidence())
        .build();
  }

  @Override
  public ProviderMetrics toDomain(ProviderMetricsRecord value) {
    return new ProviderMetrics(
        Region.of(value.getRegion()),
        ProfileSlug.of(value.getProfile()),
        ChainId.of(value.getChain()),
        Wire.toChannel(value.getChannel()),
        value.getMethod(),
        value.getUpdatedAt().toEpochMilli(),
        value.getP50Ms(),
        value.getP90Ms(),
        value.getP99Ms(),
        value.getMeanMs(),
        value.getSuccessRate(),
        value.getCalls(),
        value.getConfidence());
  }
}
