package dev.lasso.schemas;

import dev.lasso.schemas.avro.DeadLetterRecord;
import dev.lasso.schemas.avro.UnreadableSymbol;
import java.util.Optional;

/** Value of topic {@code dead-letters}. */
final class DeadLetterMapping implements Mapping<DeadLetter, DeadLetterRecord> {
  @Override
  public DeadLetterRecord toAvro(DeadLetter value) {
    return DeadLetterRecord.newBuilder()
        .setTopic(value.topic())
        .setPartition(value.partition())
        .setOffset(value.offset())
        .setRecordedAt(Wire.time(value.recordedAtMs()))
        .setRejectedAt(Wire.time(value.rejectedAtMs()))
        .setProcess(value.process())
        .setReason(
            value
                .reason()
                .map(reason -> Wire.symbol(UnreadableSymbol.class, reason))
                .orElse(UnreadableSymbol.OTHER))
        .setDetail(value.detail())
        .setKey(Wire.bytesOrNull(value.key()))
        .setValue(Wire.bytesOrNull(value.value()))
        .setValueBytes(value.valueBytes())
        .build();
  }

  @Override
  public DeadLetter toDomain(DeadLetterRecord value) {
    return new DeadLetter(
        value.getTopic(),
        value.getPartition(),
        value.getOffset(),
        value.getRecordedAt().toEpochMilli(),
        value.getRejectedAt().toEpochMilli(),
        value.getProcess(),
        value.getReason() == UnreadableSymbol.OTHER
            ? Optional.empty()
            : Optional.of(Wire.constant(UnreadableRecord.Reason.class, value.getReason())),
        value.getDetail(),
        Wire.toBytesOrNull(value.getKey()),
        Wire.toBytesOrNull(value.getValue()),
        value.getValueBytes());
  }
}
