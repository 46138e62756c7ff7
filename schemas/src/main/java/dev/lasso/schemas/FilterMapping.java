package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.schemas.avro.FilterKindSymbol;
import dev.lasso.schemas.avro.FilterRecord;

/** Value of topic {@code filters}. */
final class FilterMapping implements Mapping<ClientFilter, FilterRecord> {
  @Override
  public FilterRecord toAvro(ClientFilter value) {
    ClientFilter.Start start = value.start();
    return FilterRecord.newBuilder()
        .setId(value.id())
        .setProfile(value.profile().value())
        .setChain(value.chain().value())
        .setKind(Wire.symbol(FilterKindSymbol.class, value.kind()))
        .setCriteria(value.criteria())
        .setClient(value.client())
        .setSince(value.since())
        .setStartNumber(start == null ? null : start.number())
        .setStartHash(start == null ? null : start.hash())
        .setCursor(value.cursor())
        .setCreatedAt(Wire.time(value.createdAtMs()))
        .setUsedAt(Wire.time(value.usedAtMs()))
        .setProcess(value.process())
        .setPoll(value.poll())
        .setTakenBack(value.takenBack())
        .build();
  }

  @Override
  public ClientFilter toDomain(FilterRecord value) {
    Long number = value.getStartNumber();
    String hash = value.getStartHash();
    return new ClientFilter(
        value.getId(),
        ProfileSlug.of(value.getProfile()),
        ChainId.of(value.getChain()),
        Wire.constant(ClientFilter.Kind.class, value.getKind()),
        value.getCriteria(),
        value.getClient(),
        value.getSince(),
        number == null || hash == null ? null : new ClientFilter.Start(number, hash),
        value.getCursor(),
        value.getCreatedAt().toEpochMilli(),
        value.getUsedAt().toEpochMilli(),
        value.getProcess(),
        value.getPoll(),
        value.getTakenBack());
  }
}
