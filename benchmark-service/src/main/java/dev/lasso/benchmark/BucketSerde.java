package dev.lasso.benchmark;

import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in the store and its changelog. The bytes are this service's own business: a version
 * byte, then the fields in order, numbers in as few bytes as they need. A bucket of another version
 * reads as null, so the window begins anew; it lasts for minutes only.
 */
final class BucketSerde {
  private static final int VERSION = 1;

  private BucketSerde() {}

  static Serde<Bucket> create() {
    Serializer<Bucket> serializer = (_, bucket) -> bucket == null ? null : write(bucket);
    Deserializer<Bucket> deserializer = (_, bytes) -> bytes == null ? null : read(bytes);
    return Serdes.serdeFrom(serializer, deserializer);
  }

  static byte[] write(Bucket bucket) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(bucket.channel().provider().value());
      out.writeUTF(bucket.channel().instance().value());
      out.writeUTF(bucket.channel().transport().word());
      writeLatencies(out, bucket.latencies());
      writeNumber(out, bucket.successes());
      writeNumber(out, bucket.failures());
      writeNumber(out, bucket.penalised());
      writeNumber(out, bucket.newestMs());
      writeNumber(out, bucket.toldUntilMs().size());
      for (Map.Entry<String, Long> told : bucket.toldUntilMs().entrySet()) {
        out.writeUTF(told.getKey());
        writeNumber(out, told.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static @Nullable Bucket read(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readByte() != VERSION) {
        return null;
      }
      Channel channel =
          new Channel(
              ProviderId.of(in.readUTF()),
              InstanceId.of(in.readUTF()),
              Transport.parse(in.readUTF()));
      LatencyCounts latencies = readLatencies(in);
      long successes = readNumber(in);
      long failures = readNumber(in);
      long penalised = readNumber(in);
      long newestMs = readNumber(in);
      Map<String, Long> told = new TreeMap<>();
      for (long processes = readNumber(in); processes > 0; processes--) {
        told.put(in.readUTF(), readNumber(in));
      }
      return new Bucket(channel, latencies, successes, failures, penalised, newestMs, told);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ascending latencies as differences, which are small. */
  private static void writeLatencies(DataOutputStream out, LatencyCounts latencies)
      throws IOException {
    writeNumber(out, latencies.size());
    long before = 0;
    for (int i = 0; i < latencies.size(); i++) {
      writeNumber(out, latencies.microsAt(i) - before);
      writeNumber(out, latencies.countAt(i));
      before = latencies.microsAt(i);
    }
  }

  private static LatencyCounts readLatencies(DataInputStream in) throws IOException {
    LatencyCounts.Builder latencies = new LatencyCounts.Builder(16);
    long micros = 0;
    for (long size = readNumber(in); size > 0; size--) {
      micros += readNumber(in);
      latencies.add(micros, readNumber(in));
    }
    return latencies.build();
  }

  /** Seven bits a byte, the lowest first, the eighth set while more follow. */
  private static void writeNumber(DataOutputStream out, long number) throws IOException {
    long rest = number;
    while ((rest & ~0x7fL) != 0) {
      out.writeByte((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  private static long readNumber(DataInputStream in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte part = in.readByte();
      number |= (part & 0x7fL) << shift;
      if (part >= 0) {
        return number;
      }
    }
    throw new IOException("number has more than ten bytes");
  }
}
