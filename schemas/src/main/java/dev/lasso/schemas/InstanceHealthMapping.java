package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.schemas.avro.CircuitSymbol;
import dev.lasso.schemas.avro.FailureRecord;
import dev.lasso.schemas.avro.HealthSymbol;
import dev.lasso.schemas.avro.InstanceHealthRecord;
import dev.lasso.schemas.avro.LearnedLimitRecord;
import dev.lasso.schemas.avro.TransportSymbol;

/** Value of topic {@code instance-health}. */
final class InstanceHealthMapping implements Mapping<InstanceHealth, InstanceHealthRecord> {
  @Override
  public InstanceHealthRecord toAvro(InstanceHealth value) {
    AttemptOutcome.Failure lastError = value.lastError();
    return InstanceHealthRecord.newBuilder()
        .setRegion(value.region().value())
        .setChain(value.chain().value())
        .setInstance(value.endpoint().instance().value())
        .setTransport(Wire.symbol(TransportSymbol.class, value.endpoint().transport()))
        .setAt(Wire.time(value.atMs()))
        .setStatus(Wire.symbol(HealthSymbol.class, value.status()))
        .setCircuit(Wire.symbol(CircuitSymbol.class, value.circuit()))
        .setOpenUntil(Wire.timeOrNull(value.openUntilMs()))
        .setReopenings(value.reopenings())
        .setTrialSuccesses(value.trialSuccesses())
        .setRateLimitedUntil(Wire.timeOrNull(value.rateLimitedUntilMs()))
        .setRateLimitRepeats(value.rateLimitRepeats())
        .setConsecutiveFailures(value.consecutiveFailures())
        .setConsecutiveSuccesses(value.consecutiveSuccesses())
        .setChainIdSeen(value.chainIdSeen())
        .setLastError(lastError == null ? null : Wire.failure(lastError))
        .setLastErrorAt(Wire.timeOrNull(value.lastErrorAtMs()))
        .setLastProbeAt(Wire.timeOrNull(value.lastProbeAtMs()))
        .setLearned(Wire.list(value.learned(), InstanceHealthMapping::learned))
        .build();
  }

  @Override
  public InstanceHealth toDomain(InstanceHealthRecord value) {
    FailureRecord lastError = value.getLastError();
    return new InstanceHealth(
        Region.of(value.getRegion()),
        ChainId.of(value.getChain()),
        new Endpoint(
            InstanceId.of(value.getInstance()),
            Wire.constant(Transport.class, value.getTransport())),
        value.getAt().toEpochMilli(),
        Wire.constant(HealthStatus.class, value.getStatus()),
        Wire.constant(CircuitStatus.class, value.getCircuit()),
        Wire.timeOrZero(value.getOpenUntil()),
        value.getReopenings(),
        value.getTrialSuccesses(),
        Wire.timeOrZero(value.getRateLimitedUntil()),
        value.getRateLimitRepeats(),
        value.getConsecutiveFailures(),
        value.getConsecutiveSuccesses(),
        value.getChainIdSeen(),
        lastError == null ? null : Wire.toFailure(lastError),
        Wire.timeOrZero(value.getLastErrorAt()),
        Wire.timeOrZero(value.getLastProbeAt()),
        Wire.list(value.getLearned(), InstanceHealthMapping::toLearned));
  }

  private static LearnedLimitRecord learned(LearnedLimit limit) {
    return new LearnedLimitRecord(
        limit.method(), limit.maxBlockRange(), Wire.time(limit.untilMs()));
  }

  private static LearnedLimit toLearned(LearnedLimitRecord limit) {
    return new LearnedLimit(
        limit.getMethod(), limit.getMaxBlockRange(), limit.getUntil().toEpochMilli());
  }
}
