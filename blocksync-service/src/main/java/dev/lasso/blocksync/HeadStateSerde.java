package dev.lasso.blocksync;

import dev.lasso.routing.InstanceId;
import dev.lasso.routing.heads.BlockTimes;
import dev.lasso.routing.heads.ChainHeads;
import dev.lasso.routing.heads.Consensus;
import dev.lasso.routing.heads.InstanceHead;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The fold's state in the store and its changelog. The bytes are this service's own business: a
 * version byte, then the fields in order. State of another version reads as null and is built anew
 * from what comes in, which takes seconds.
 */
final class HeadStateSerde {
  private static final int VERSION = 1;

  private HeadStateSerde() {}

  static Serde<ChainHeads> create() {
    Serializer<ChainHeads> serializer = (_, heads) -> heads == null ? null : write(heads);
    Deserializer<ChainHeads> deserializer = (_, bytes) -> bytes == null ? null : read(bytes);
    return Serdes.serdeFrom(serializer, deserializer);
  }

  static byte[] write(ChainHeads heads) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeInt(heads.instances().size());
      for (InstanceHead head : heads.instances()) {
        writeInstance(out, head);
      }
      Consensus consensus = heads.consensus();
      out.writeBoolean(consensus != null);
      if (consensus != null) {
        writeConsensus(out, consensus);
      }
      double[] samples = heads.blockTimes().samples();
      out.writeInt(samples.length);
      for (double sample : samples) {
        out.writeDouble(sample);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static @Nullable ChainHeads read(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readByte() != VERSION) {
        return null;
      }
      int count = in.readInt();
      List<InstanceHead> instances = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        instances.add(readInstance(in));
      }
      Consensus consensus = in.readBoolean() ? readConsensus(in) : null;
      double[] samples = new double[in.readInt()];
      for (int i = 0; i < samples.length; i++) {
        samples[i] = in.readDouble();
      }
      return new ChainHeads(instances, consensus, BlockTimes.of(samples));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeInstance(DataOutputStream out, InstanceHead head) throws IOException {
    out.writeUTF(head.instance().value());
    out.writeLong(head.height());
    out.writeLong(head.seenAtMs());
    out.writeLong(head.roseAtMs());
    out.writeLong(head.peak());
    out.writeLong(head.peakSeenAtMs());
    out.writeLong(head.fellFrom());
    out.writeBoolean(head.syncing());
    out.writeLong(head.quarantinedSinceMs());
    writeOptional(out, head.safe());
    writeOptional(out, head.finalized());
  }

  private static InstanceHead readInstance(DataInputStream in) throws IOException {
    return new InstanceHead(
        InstanceId.of(in.readUTF()),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readBoolean(),
        in.readLong(),
        readOptional(in),
        readOptional(in));
  }

  private static void writeConsensus(DataOutputStream out, Consensus consensus) throws IOException {
    out.writeLong(consensus.height());
    out.writeLong(consensus.sinceMs());
    out.writeLong(consensus.shownAtMs());
    out.writeBoolean(consensus.established());
    out.writeDouble(consensus.slackBlocks());
    out.writeLong(consensus.fallSinceMs());
    writeOptional(out, consensus.safe());
    writeOptional(out, consensus.finalized());
  }

  private static Consensus readConsensus(DataInputStream in) throws IOException {
    return new Consensus(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readBoolean(),
        in.readDouble(),
        in.readLong(),
        readOptional(in),
        readOptional(in));
  }

  private static void writeOptional(DataOutputStream out, @Nullable Long value) throws IOException {
    out.writeBoolean(value != null);
    if (value != null) {
      out.writeLong(value);
    }
  }

  private static @Nullable Long readOptional(DataInputStream in) throws IOException {
    return in.readBoolean() ? (Long) in.readLong() : null;
  }
}
