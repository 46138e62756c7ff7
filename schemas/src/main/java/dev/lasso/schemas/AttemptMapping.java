package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.event.Attempt;
import dev.lasso.schemas.avro.AttemptRecord;

/** Value of topic {@code attempts}. */
final class AttemptMapping implements Mapping<Attempt, AttemptRecord> {
  @Override
  public AttemptRecord toAvro(Attempt value) {
    return AttemptRecord.newBuilder()
        .setRegion(value.region().value())
        .setProcess(value.process())
        .setProfile(value.profile().value())
        .setChain(value.chain().value())
        .setChannel(Wire.channel(value.channel()))
        .setMethod(value.method())
        .setRequestId(value.requestId().value())
        .setEndedAt(Wire.time(value.endedAtMs()))
        .setLatencyMs(value.latencyMs())
        .setOutcome(Wire.outcome(value.outcome()))
        .setBlockRange(value.blockRange())
        .setSuccessesBefore(value.successesBefore())
        .build();
  }

  @Override
  public Attempt toDomain(AttemptRecord value) {
    return new Attempt(
        Region.of(value.getRegion()),
        value.getProcess(),
        ProfileSlug.of(value.getProfile()),
        ChainId.of(value.getChain()),
        Wire.toChannel(value.getChannel()),
        value.getMethod(),
        new RequestId(value.getRequestId()),
        value.getEndedAt().toEpochMilli(),
        value.getLatencyMs(),
        Wire.toOutcome(value.getOutcome()),
        value.getBlockRange(),
        value.getSuccessesBefore());
  }
}
