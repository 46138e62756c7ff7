package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.ChainState;
import dev.lasso.schemas.avro.ChainStateRecord;
import dev.lasso.schemas.avro.InstanceHeightRecord;

/** Value of topic {@code chain-state}. */
final class ChainStateMapping implements Mapping<ChainState, ChainStateRecord> {
  @Override
  public ChainStateRecord toAvro(ChainState value) {
    return ChainStateRecord.newBuilder()
        .setRegion(value.region().value())
        .setChain(value.chain().value())
        .setAt(Wire.time(value.atMs()))
        .setConsensusHeight(value.consensusHeight())
        .setConsensusAt(Wire.timeOrNull(value.consensusAtMs()))
        .setSafe(value.safe())
        .setFinalized(value.finalized())
        .setBlockTimeMs(value.blockTimeMs())
        .setHeights(Wire.list(value.heights(), ChainStateMapping::height))
        .build();
  }

  @Override
  public ChainState toDomain(ChainStateRecord value) {
    return new ChainState(
        Region.of(value.getRegion()),
        ChainId.of(value.getChain()),
        value.getAt().toEpochMilli(),
        value.getConsensusHeight(),
        Wire.timeOrZero(value.getConsensusAt()),
        value.getSafe(),
        value.getFinalized(),
        value.getBlockTimeMs(),
        Wire.list(value.getHeights(), ChainStateMapping::toHeight));
  }

  private static InstanceHeightRecord height(ChainState.InstanceHeight height) {
    return InstanceHeightRecord.newBuilder()
        .setInstance(height.instance().value())
        .setHeight(height.height())
        .setSeenAt(Wire.time(height.seenAtMs()))
        .setRoseAt(Wire.time(height.roseAtMs()))
        .setSyncing(height.syncing())
        .setQuarantined(height.quarantined())
        .build();
  }

  private static ChainState.InstanceHeight toHeight(InstanceHeightRecord height) {
    return new ChainState.InstanceHeight(
        InstanceId.of(height.getInstance()),
        height.getHeight(),
        height.getSeenAt().toEpochMilli(),
        height.getRoseAt().toEpochMilli(),
        height.getSyncing(),
        height.getQuarantined());
  }
}
