package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.Presence;
import dev.lasso.schemas.avro.PresenceRecord;
import java.util.TreeMap;

/** Value of topic {@code presence}. */
final class PresenceMapping implements Mapping<Presence, PresenceRecord> {
  @Override
  public PresenceRecord toAvro(Presence value) {
    return PresenceRecord.newBuilder()
        .setRegion(value.region().value())
        .setRole(value.role())
        .setProcess(value.process())
        .setVersion(value.version())
        .setStartedAt(Wire.time(value.startedAtMs()))
        .setAt(Wire.time(value.atMs()))
        .setStopping(value.stopping())
        .setAddress(value.address())
        .setAssignment(value.assignment())
        .setWantedLogs(Wire.list(value.wantedLogs(), ChainId::value))
        .setWantedHeads(Wire.list(value.wantedHeads(), ChainId::value))
        .setLag(new TreeMap<>(value.lag()))
        .setCondition(value.condition())
        .setReasons(value.reasons())
        .build();
  }

  @Override
  public Presence toDomain(PresenceRecord value) {
    return new Presence(
        Region.of(value.getRegion()),
        value.getRole(),
        value.getProcess(),
        value.getVersion(),
        value.getStartedAt().toEpochMilli(),
        value.getAt().toEpochMilli(),
        value.getStopping(),
        value.getAddress(),
        value.getAssignment(),
        Wire.list(value.getWantedLogs(), ChainId::of),
        Wire.list(value.getWantedHeads(), ChainId::of),
        value.getLag(),
        value.getCondition(),
        value.getReasons());
  }
}
