package dev.lasso.schemas;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.schemas.UnreadableRecord.Reason;
import dev.lasso.schemas.avro.BlockAddedRecord;
import dev.lasso.schemas.avro.BlockRemovedRecord;
import dev.lasso.schemas.avro.ChainChangeSymbol;
import dev.lasso.schemas.avro.ChainEventRecord;
import dev.lasso.schemas.avro.GapRecord;
import dev.lasso.schemas.avro.StreamStateRecord;
import dev.lasso.schemas.avro.StreamStateSymbol;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Value of topic {@code chain-events}. */
final class ChainEventMapping implements Mapping<ChainEvent, ChainEventRecord> {
  @Override
  public ChainEventRecord toAvro(ChainEvent value) {
    ChainEventRecord.Builder event =
        ChainEventRecord.newBuilder()
            .setChain(value.chain().value())
            .setSequence(value.sequence())
            .setAt(Wire.time(value.atMs()))
            .setNumber(value.number());
    switch (value) {
      case ChainEvent.BlockAdded block ->
          event.setChange(ChainChangeSymbol.BLOCK_ADDED).setAdded(added(block));
      case ChainEvent.BlockRemoved block ->
          event.setChange(ChainChangeSymbol.BLOCK_REMOVED).setRemoved(removed(block));
      case ChainEvent.Gap gap ->
          event
              .setChange(ChainChangeSymbol.GAP)
              .setGap(new GapRecord(gap.toNumber(), gap.reason()));
      case ChainEvent.StreamStateChanged changed ->
          event
              .setChange(ChainChangeSymbol.STREAM_STATE_CHANGED)
              .setStreamState(
                  new StreamStateRecord(
                      Wire.symbol(StreamStateSymbol.class, changed.state()), changed.reason()));
    }
    return event.build();
  }

  @Override
  public ChainEvent toDomain(ChainEventRecord value) {
    ChainId chain = ChainId.of(value.getChain());
    long sequence = value.getSequence();
    long atMs = value.getAt().toEpochMilli();
    long number = value.getNumber();
    return switch (value.getChange()) {
      case BLOCK_ADDED -> {
        BlockAddedRecord block = Wire.present(value.getAdded(), "added");
        yield new ChainEvent.BlockAdded(
            chain,
            sequence,
            atMs,
            number,
            block.getHash(),
            block.getParentHash(),
            Bytes.copyOf(block.getHeader()),
            toLogs(block.getLogs()),
            block.getSource());
      }
      case BLOCK_REMOVED -> {
        BlockRemovedRecord block = Wire.present(value.getRemoved(), "removed");
        yield new ChainEvent.BlockRemoved(
            chain,
            sequence,
            atMs,
            number,
            block.getHash(),
            block.getParentHash(),
            toLogs(block.getLogs()));
      }
      case GAP -> {
        GapRecord gap = Wire.present(value.getGap(), "gap");
        yield new ChainEvent.Gap(chain, sequence, atMs, number, gap.getToNumber(), gap.getReason());
      }
      case STREAM_STATE_CHANGED -> {
        StreamStateRecord changed = Wire.present(value.getStreamState(), "streamState");
        yield new ChainEvent.StreamStateChanged(
            chain,
            sequence,
            atMs,
            number,
            Wire.constant(ChainEvent.StreamState.class, changed.getState()),
            changed.getReason());
      }
      case UNRECOGNISED ->
          throw new UnreadableRecord(
              Reason.UNKNOWN_SYMBOL, "value holds a chain event that this build does not know");
    };
  }

  private static BlockAddedRecord added(ChainEvent.BlockAdded block) {
    return BlockAddedRecord.newBuilder()
        .setHash(block.hash())
        .setParentHash(block.parentHash())
        .setHeader(Wire.bytes(block.header()))
        .setLogs(logs(block.logs()))
        .setSource(block.source())
        .build();
  }

  private static BlockRemovedRecord removed(ChainEvent.BlockRemoved block) {
    return new BlockRemovedRecord(block.hash(), block.parentHash(), logs(block.logs()));
  }

  private static @Nullable List<ByteBuffer> logs(@Nullable List<Bytes> logs) {
    return logs == null ? null : Wire.list(logs, Wire::bytes);
  }

  private static @Nullable List<Bytes> toLogs(@Nullable List<ByteBuffer> logs) {
    return logs == null ? null : Wire.list(logs, Bytes::copyOf);
  }
}
