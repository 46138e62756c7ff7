package dev.lasso.health;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.circuit.CircuitState;
import dev.lasso.routing.circuit.CircuitState.Closed;
import dev.lasso.routing.circuit.CircuitState.HalfOpen;
import dev.lasso.routing.circuit.CircuitState.Open;
import dev.lasso.routing.circuit.OutcomeWindow;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.LearnedLimit;
import dev.lasso.routing.health.EndpointHealth;
import dev.lasso.routing.ratelimit.RateLimitState;
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
final class HealthStateSerde {
  private static final int VERSION = 1;
  private static final int CLOSED = 0;
  private static final int OPEN = 1;
  private static final int HALF_OPEN = 2;

  private HealthStateSerde() {}

  static Serde<EndpointHealth> create() {
    Serializer<EndpointHealth> serializer = (_, health) -> health == null ? null : write(health);
    Deserializer<EndpointHealth> deserializer = (_, bytes) -> bytes == null ? null : read(bytes);
    return Serdes.serdeFrom(serializer, deserializer);
  }

  static byte[] write(EndpointHealth health) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeLong(health.chain().value());
      writeCircuit(out, health.circuit());
      out.writeLong(health.rateLimit().untilMs());
      out.writeInt(health.rateLimit().repeats());
      out.writeInt(health.consecutiveFailures());
      out.writeInt(health.consecutiveSuccesses());
      writeOptional(out, health.chainIdSeen());
      Failure error = health.lastError();
      out.writeBoolean(error != null);
      if (error != null) {
        writeError(out, error);
      }
      out.writeLong(health.lastErrorAtMs());
      out.writeLong(health.lastProbeAtMs());
      out.writeInt(health.learned().size());
      for (LearnedLimit limit : health.learned()) {
        out.writeUTF(limit.method());
        out.writeLong(limit.maxBlockRange());
        out.writeLong(limit.untilMs());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static @Nullable EndpointHealth read(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readByte() != VERSION) {
        return null;
      }
      ChainId chain = ChainId.of(in.readLong());
      CircuitState circuit = readCircuit(in);
      RateLimitState rateLimit = new RateLimitState(in.readLong(), in.readInt());
      int consecutiveFailures = in.readInt();
      int consecutiveSuccesses = in.readInt();
      Long chainIdSeen = readOptional(in);
      Failure error = in.readBoolean() ? readError(in) : null;
      long lastErrorAtMs = in.readLong();
      long lastProbeAtMs = in.readLong();
      int limits = in.readInt();
      List<LearnedLimit> learned = new ArrayList<>();
      for (int i = 0; i < limits; i++) {
        learned.add(new LearnedLimit(in.readUTF(), in.readLong(), in.readLong()));
      }
      return new EndpointHealth(
          chain,
          circuit,
          rateLimit,
          consecutiveFailures,
          consecutiveSuccesses,
          chainIdSeen,
          error,
          lastErrorAtMs,
          lastProbeAtMs,
          learned);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeCircuit(DataOutputStream out, CircuitState circuit) throws IOException {
    switch (circuit) {
      case Closed closed -> {
        out.writeByte(CLOSED);
        out.writeLong(closed.sinceMs());
        out.writeLong(closed.window().bucketMs());
        out.writeLong(closed.window().newest());
        for (long counts : closed.window().counts()) {
          out.writeLong(counts);
        }
        out.writeInt(closed.failuresInRow());
        out.writeInt(closed.probeFailuresInRow());
        out.writeLong(closed.lastFailureAtMs());
        out.writeInt(closed.openings());
      }
      case Open open -> {
        out.writeByte(OPEN);
        out.writeLong(open.sinceMs());
        out.writeLong(open.untilMs());
        out.writeInt(open.reopenings());
        out.writeInt(open.openings());
      }
      case HalfOpen halfOpen -> {
        out.writeByte(HALF_OPEN);
        out.writeLong(halfOpen.sinceMs());
        out.writeInt(halfOpen.successes());
        out.writeInt(halfOpen.reopenings());
        out.writeInt(halfOpen.openings());
      }
    }
  }

  private static CircuitState readCircuit(DataInputStream in) throws IOException {
    int kind = in.readByte();
    long sinceMs = in.readLong();
    return switch (kind) {
      case CLOSED ->
          new Closed(
              sinceMs, readWindow(in), in.readInt(), in.readInt(), in.readLong(), in.readInt());
      case OPEN -> new Open(sinceMs, in.readLong(), in.readInt(), in.readInt());
      case HALF_OPEN -> new HalfOpen(sinceMs, in.readInt(), in.readInt(), in.readInt());
      default -> throw new IOException("no circuit state has the number " + kind);
    };
  }

  private static OutcomeWindow readWindow(DataInputStream in) throws IOException {
    long bucketMs = in.readLong();
    long newest = in.readLong();
    long[] counts = new long[OutcomeWindow.BUCKETS];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = in.readLong();
    }
    return OutcomeWindow.restored(bucketMs, newest, counts);
  }

  private static void writeError(DataOutputStream out, Failure error) throws IOException {
    out.writeUTF(error.errorClass().name());
    writeOptional(out, error.code() == null ? null : error.code().longValue());
    writeOptional(out, error.httpStatus() == null ? null : error.httpStatus().longValue());
    out.writeUTF(error.message());
    writeOptional(out, error.retryAfterMs());
  }

  private static Failure readError(DataInputStream in) throws IOException {
    ErrorClass errorClass = ErrorClass.valueOf(in.readUTF());
    Long code = readOptional(in);
    Long httpStatus = readOptional(in);
    String message = in.readUTF();
    return new Failure(
        errorClass,
        code == null ? null : code.intValue(),
        httpStatus == null ? null : httpStatus.intValue(),
        message,
        readOptional(in));
  }

  private static void writeOptional(DataOutputStream out, @Nullable Long number)
      throws IOException {
    out.writeBoolean(number != null);
    if (number != null) {
      out.writeLong(number);
    }
  }

  private static @Nullable Long readOptional(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readLong() : null;
  }
}
