package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.event.ProbeResult;
import dev.lasso.schemas.avro.ProbeRecord;
import dev.lasso.schemas.avro.TransportSymbol;

/** Value of topic {@code probes}. */
final class ProbeMapping implements Mapping<ProbeResult, ProbeRecord> {
  @Override
  public ProbeRecord toAvro(ProbeResult value) {
    return ProbeRecord.newBuilder()
        .setRegion(value.region().value())
        .setProcess(value.process())
        .setChain(value.chain().value())
        .setInstance(value.endpoint().instance().value())
        .setTransport(Wire.symbol(TransportSymbol.class, value.endpoint().transport()))
        .setEndedAt(Wire.time(value.endedAtMs()))
        .setLatencyMs(value.latencyMs())
        .setOutcome(Wire.outcome(value.outcome()))
        .setChainIdSeen(value.chainIdSeen())
        .setHeightSeen(value.heightSeen())
        .setSyncing(value.syncing())
        .build();
  }

  @Override
  public ProbeResult toDomain(ProbeRecord value) {
    return new ProbeResult(
        Region.of(value.getRegion()),
        value.getProcess(),
        ChainId.of(value.getChain()),
        new Endpoint(
            InstanceId.of(value.getInstance()),
            Wire.constant(Transport.class, value.getTransport())),
        value.getEndedAt().toEpochMilli(),
        value.getLatencyMs(),
        Wire.toOutcome(value.getOutcome()),
        value.getChainIdSeen(),
        value.getHeightSeen(),
        value.getSyncing());
  }
}
