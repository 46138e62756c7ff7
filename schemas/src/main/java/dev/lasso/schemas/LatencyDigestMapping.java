package dev.lasso.schemas;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.schemas.avro.LatencyDigestRecord;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Value of topic {@code latency-digests}. */
final class LatencyDigestMapping implements Mapping<LatencyDigest, LatencyDigestRecord> {
  private static final Map<String, ErrorClass> ERROR_CLASSES =
      Stream.of(ErrorClass.values())
          .collect(Collectors.toUnmodifiableMap(ErrorClass::word, Function.identity()));

  @Override
  public LatencyDigestRecord toAvro(LatencyDigest value) {
    Map<String, Long> failures = new TreeMap<>();
    value.failures().forEach((errorClass, count) -> failures.put(errorClass.word(), count));
    return LatencyDigestRecord.newBuilder()
        .setRegion(value.region().value())
        .setProcess(value.process())
        .setProfile(value.profile().value())
        .setChain(value.chain().value())
        .setChannel(Wire.channel(value.channel()))
        .setMethod(value.method())
        .setFrom(Wire.time(value.fromMs()))
        .setTo(Wire.time(value.toMs()))
        .setHistogram(Wire.bytes(value.histogram()))
        .setSuccesses(value.successes())
        .setFailures(failures)
        .build();
  }

  @Override
  public LatencyDigest toDomain(LatencyDigestRecord value) {
    Map<ErrorClass, Long> failures = new EnumMap<>(ErrorClass.class);
    value
        .getFailures()
        .forEach(
            (word, count) ->
                failures.merge(
                    ERROR_CLASSES.getOrDefault(word, ErrorClass.UNKNOWN), count, Long::sum));
    return new LatencyDigest(
        Region.of(value.getRegion()),
        value.getProcess(),
        ProfileSlug.of(value.getProfile()),
        ChainId.of(value.getChain()),
        Wire.toChannel(value.getChannel()),
        value.getMethod(),
        value.getFrom().toEpochMilli(),
        value.getTo().toEpochMilli(),
        Bytes.copyOf(value.getHistogram()),
        value.getSuccesses(),
        failures);
  }
}
