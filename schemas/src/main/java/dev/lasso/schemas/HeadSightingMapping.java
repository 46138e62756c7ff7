package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.schemas.avro.HeadSightingRecord;
import dev.lasso.schemas.avro.HeadSourceSymbol;

/** Value of topic {@code upstream-heads}. */
final class HeadSightingMapping implements Mapping<HeadSighting, HeadSightingRecord> {
  @Override
  public HeadSightingRecord toAvro(HeadSighting value) {
    return HeadSightingRecord.newBuilder()
        .setRegion(value.region().value())
        .setProcess(value.process())
        .setChain(value.chain().value())
        .setInstance(value.instance().value())
        .setNumber(value.number())
        .setHash(value.hash())
        .setParentHash(value.parentHash())
        .setHeader(Wire.bytesOrNull(value.header()))
        .setSource(Wire.symbol(HeadSourceSymbol.class, value.source()))
        .setSeenAt(Wire.time(value.seenAtMs()))
        .setLatencyMs(value.latencyMs())
        .setSyncing(value.syncing())
        .setSafe(value.safe())
        .setFinalized(value.finalized())
        .build();
  }

  @Override
  public HeadSighting toDomain(HeadSightingRecord value) {
    return new HeadSighting(
        Region.of(value.getRegion()),
        value.getProcess(),
        ChainId.of(value.getChain()),
        InstanceId.of(value.getInstance()),
        value.getNumber(),
        value.getHash(),
        value.getParentHash(),
        Wire.toBytesOrNull(value.getHeader()),
        Wire.constant(HeadSighting.Source.class, value.getSource()),
        value.getSeenAt().toEpochMilli(),
        value.getLatencyMs(),
        value.getSyncing(),
        value.getSafe(),
        value.getFinalized());
  }
}
