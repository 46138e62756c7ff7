package dev.lasso.schemas;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.schemas.UnreadableRecord.Reason;
import dev.lasso.schemas.avro.ChannelRecord;
import dev.lasso.schemas.avro.ErrorClassSymbol;
import dev.lasso.schemas.avro.FailureRecord;
import dev.lasso.schemas.avro.OutcomeRecord;
import dev.lasso.schemas.avro.OutcomeSymbol;
import dev.lasso.schemas.avro.TransportSymbol;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How the parts that several topic values share look in Avro. */
final class Wire {
  private Wire() {}

  static Instant time(long atMs) {
    return Instant.ofEpochMilli(atMs);
  }

  /** For times that the domain writes as 0 when there is none. */
  static @Nullable Instant timeOrNull(long atMs) {
    return atMs == 0 ? null : Instant.ofEpochMilli(atMs);
  }

  static long timeOrZero(@Nullable Instant at) {
    return at == null ? 0 : at.toEpochMilli();
  }

  static ByteBuffer bytes(Bytes bytes) {
    return bytes.asBuffer();
  }

  static @Nullable ByteBuffer bytesOrNull(@Nullable Bytes bytes) {
    return bytes == null ? null : bytes.asBuffer();
  }

  static @Nullable Bytes toBytesOrNull(@Nullable ByteBuffer bytes) {
    return bytes == null ? null : Bytes.copyOf(bytes);
  }

  /** The symbol of the same name; every constant of a mapped enum has one. */
  static <S extends Enum<S>> S symbol(Class<S> symbols, Enum<?> constant) {
    return Enum.valueOf(symbols, constant.name());
  }

  /**
   * The domain constant of the same name.
   *
   * @throws UnreadableRecord for a symbol that stands for what this build does not know
   */
  static <E extends Enum<E>> E constant(Class<E> constants, Enum<?> symbol) {
    try {
      return Enum.valueOf(constants, symbol.name());
    } catch (IllegalArgumentException e) {
      throw new UnreadableRecord(
          Reason.UNKNOWN_SYMBOL,
          "value holds a " + constants.getSimpleName() + " that this build does not know",
          e);
    }
  }

  static <T, R> List<R> list(List<T> items, Function<T, R> each) {
    return items.stream().map(each).toList();
  }

  static ChannelRecord channel(Channel channel) {
    return ChannelRecord.newBuilder()
        .setProvider(channel.provider().value())
        .setInstance(channel.instance().value())
        .setTransport(symbol(TransportSymbol.class, channel.transport()))
        .build();
  }

  static Channel toChannel(ChannelRecord channel) {
    return new Channel(
        ProviderId.of(channel.getProvider()),
        InstanceId.of(channel.getInstance()),
        constant(Transport.class, channel.getTransport()));
  }

  static OutcomeRecord outcome(AttemptOutcome outcome) {
    return switch (outcome) {
      case AttemptOutcome.Success() -> new OutcomeRecord(OutcomeSymbol.SUCCESS, null);
      case AttemptOutcome.Cancelled() -> new OutcomeRecord(OutcomeSymbol.CANCELLED, null);
      case AttemptOutcome.Failure failure ->
          new OutcomeRecord(OutcomeSymbol.FAILURE, failure(failure));
    };
  }

  static AttemptOutcome toOutcome(OutcomeRecord outcome) {
    return switch (outcome.getKind()) {
      case SUCCESS -> new AttemptOutcome.Success();
      case CANCELLED -> new AttemptOutcome.Cancelled();
      case FAILURE -> toFailure(present(outcome.getFailure(), "failure"));
      case UNRECOGNISED ->
          throw new UnreadableRecord(
              Reason.UNKNOWN_SYMBOL, "value holds an outcome that this build does not know");
    };
  }

  static FailureRecord failure(AttemptOutcome.Failure failure) {
    return FailureRecord.newBuilder()
        .setErrorClass(symbol(ErrorClassSymbol.class, failure.errorClass()))
        .setCode(failure.code())
        .setHttpStatus(failure.httpStatus())
        .setMessage(failure.message())
        .setRetryAfterMs(failure.retryAfterMs())
        .build();
  }

  static AttemptOutcome.Failure toFailure(FailureRecord failure) {
    return new AttemptOutcome.Failure(
        constant(ErrorClass.class, failure.getErrorClass()),
        failure.getCode(),
        failure.getHttpStatus(),
        failure.getMessage(),
        failure.getRetryAfterMs());
  }

  /**
   * A field that must be set because another one says so.
   *
   * @throws IllegalArgumentException when it is not
   */
  static <T> T present(@Nullable T value, String field) {
    if (value == null) {
      throw new IllegalArgumentException(field + " must be set here");
    }
    return value;
  }
}
