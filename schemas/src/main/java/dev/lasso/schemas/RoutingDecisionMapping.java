package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.schemas.avro.CandidateRecord;
import dev.lasso.schemas.avro.CircuitSymbol;
import dev.lasso.schemas.avro.DecisionOutcomeSymbol;
import dev.lasso.schemas.avro.RejectionRecord;
import dev.lasso.schemas.avro.RejectionSymbol;
import dev.lasso.schemas.avro.RequestFactsRecord;
import dev.lasso.schemas.avro.RoutingDecisionRecord;
import dev.lasso.schemas.avro.StrategySymbol;
import dev.lasso.schemas.avro.TransportSymbol;
import dev.lasso.schemas.avro.TriedRecord;
import java.util.TreeMap;

/** Value of topic {@code routing-decisions}. */
final class RoutingDecisionMapping implements Mapping<RoutingDecision, RoutingDecisionRecord> {
  @Override
  public RoutingDecisionRecord toAvro(RoutingDecision value) {
    return RoutingDecisionRecord.newBuilder()
        .setRegion(value.region().value())
        .setProcess(value.process())
        .setRequestId(value.requestId().value())
        .setProfile(value.profile().value())
        .setChain(value.chain().value())
        .setDecidedAt(Wire.time(value.decidedAtMs()))
        .setFacts(facts(value.facts()))
        .setStrategy(Wire.symbol(StrategySymbol.class, value.strategy()))
        .setSeed(value.seed())
        .setPolicy(new TreeMap<>(value.policy()))
        .setSnapshot(value.snapshot())
        .setCandidates(Wire.list(value.candidates(), RoutingDecisionMapping::candidate))
        .setRejections(Wire.list(value.rejections(), RoutingDecisionMapping::rejection))
        .setPlan(Wire.list(value.plan(), Wire::channel))
        .setDegraded(value.degraded())
        .setAttempts(Wire.list(value.attempts(), RoutingDecisionMapping::tried))
        .setOutcome(Wire.symbol(DecisionOutcomeSymbol.class, value.outcome()))
        .setTotalMs(value.totalMs())
        .build();
  }

  @Override
  public RoutingDecision toDomain(RoutingDecisionRecord value) {
    return new RoutingDecision(
        Region.of(value.getRegion()),
        value.getProcess(),
        new RequestId(value.getRequestId()),
        ProfileSlug.of(value.getProfile()),
        ChainId.of(value.getChain()),
        value.getDecidedAt().toEpochMilli(),
        toFacts(value.getFacts()),
        Wire.constant(StrategyName.class, value.getStrategy()),
        value.getSeed(),
        value.getPolicy(),
        value.getSnapshot(),
        Wire.list(value.getCandidates(), RoutingDecisionMapping::toCandidate),
        Wire.list(value.getRejections(), RoutingDecisionMapping::toRejection),
        Wire.list(value.getPlan(), Wire::toChannel),
        value.getDegraded(),
        Wire.list(value.getAttempts(), RoutingDecisionMapping::toTried),
        Wire.constant(RoutingDecision.Outcome.class, value.getOutcome()),
        value.getTotalMs());
  }

  private static RequestFactsRecord facts(RoutingDecision.Facts facts) {
    Transport transport = facts.transport();
    return RequestFactsRecord.newBuilder()
        .setMethod(facts.method())
        .setCategory(facts.category())
        .setReplaySafe(facts.replaySafe())
        .setTransport(transport == null ? null : Wire.symbol(TransportSymbol.class, transport))
        .setFromBlock(facts.fromBlock())
        .setToBlock(facts.toBlock())
        .setMinBlock(facts.minBlock())
        .setRequiresArchival(facts.requiresArchival())
        .setExcludeRateLimited(facts.excludeRateLimited())
        .setOnlyProviders(Wire.list(facts.onlyProviders(), ProviderId::value))
        .setExcluded(Wire.list(facts.excluded(), ProviderId::value))
        .setDeadlineMs(facts.deadlineMs())
        .setStrategyAsked(facts.strategyAsked())
        .setProviderAsked(facts.providerAsked())
        .build();
  }

  private static RoutingDecision.Facts toFacts(RequestFactsRecord facts) {
    TransportSymbol transport = facts.getTransport();
    return new RoutingDecision.Facts(
        facts.getMethod(),
        facts.getCategory(),
        facts.getReplaySafe(),
        transport == null ? null : Wire.constant(Transport.class, transport),
        facts.getFromBlock(),
        facts.getToBlock(),
        facts.getMinBlock(),
        facts.getRequiresArchival(),
        facts.getExcludeRateLimited(),
        Wire.list(facts.getOnlyProviders(), ProviderId::of),
        Wire.list(facts.getExcluded(), ProviderId::of),
        facts.getDeadlineMs(),
        facts.getStrategyAsked(),
        facts.getProviderAsked());
  }

  private static CandidateRecord candidate(RoutingDecision.Candidate candidate) {
    return CandidateRecord.newBuilder()
        .setChannel(Wire.channel(candidate.channel()))
        .setLocalCircuit(Wire.symbol(CircuitSymbol.class, candidate.localCircuit()))
        .setLocalRateLimitedUntil(Wire.timeOrNull(candidate.localRateLimitedUntilMs()))
        .setTrialsInFlight(candidate.trialsInFlight())
        .setConnected(candidate.connected())
        .setInFlight(candidate.inFlight())
        .setLatencyEwmaMs(candidate.latencyEwmaMs())
        .build();
  }

  private static RoutingDecision.Candidate toCandidate(CandidateRecord candidate) {
    return new RoutingDecision.Candidate(
        Wire.toChannel(candidate.getChannel()),
        Wire.constant(CircuitStatus.class, candidate.getLocalCircuit()),
        Wire.timeOrZero(candidate.getLocalRateLimitedUntil()),
        candidate.getTrialsInFlight(),
        candidate.getConnected(),
        candidate.getInFlight(),
        candidate.getLatencyEwmaMs());
  }

  private static RejectionRecord rejection(RoutingDecision.Rejection rejection) {
    return new RejectionRecord(
        Wire.channel(rejection.channel()),
        Wire.symbol(RejectionSymbol.class, rejection.reason()),
        rejection.detail());
  }

  private static RoutingDecision.Rejection toRejection(RejectionRecord rejection) {
    return new RoutingDecision.Rejection(
        Wire.toChannel(rejection.getChannel()),
        Wire.constant(RejectionReason.class, rejection.getReason()),
        rejection.getDetail());
  }

  private static TriedRecord tried(RoutingDecision.Tried tried) {
    return TriedRecord.newBuilder()
        .setChannel(Wire.channel(tried.channel()))
        .setStartedAfterMs(tried.startedAfterMs())
        .setLatencyMs(tried.latencyMs())
        .setOutcome(Wire.outcome(tried.outcome()))
        .setHedge(tried.hedge())
        .build();
  }

  private static RoutingDecision.Tried toTried(TriedRecord tried) {
    return new RoutingDecision.Tried(
        Wire.toChannel(tried.getChannel()),
        tried.getStartedAfterMs(),
        tried.getLatencyMs(),
        Wire.toOutcome(tried.getOutcome()),
        tried.getHedge());
  }
}
