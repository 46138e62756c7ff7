package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.errors.Redaction;
import dev.lasso.routing.errors.RetryAfter;
import dev.lasso.routing.errors.UpstreamError;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.snapshot.ActiveChain;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a provider said into the outcome of the attempt: its class, and how long it asked us
 * to stay away.
 */
final class Failures {
  /** The code that nodes give to a revert. */
  private static final int REVERTED = 3;

  private final InstantSource clock;

  Failures(InstantSource clock) {
    this.clock = clock;
  }

  AttemptOutcome.Failure of(
      ActiveChain chain, ProviderId provider, UpstreamOutcome.Refused refused) {
    UpstreamError error = refused.error();
    String malformed = refused.malformed();
    ErrorClass errorClass = chain.classifier(provider).classify(error).errorClass();
    if (malformed != null && errorClass == ErrorClass.UNKNOWN) {
      errorClass = ErrorClass.MALFORMED;
    }
    Long retryAfterMs =
        errorClass.cooldown() == ErrorClass.Cooldown.NONE
            ? null
            : RetryAfter.read(refused.headers()::get, body(error), clock.millis());
    String message = malformed != null ? malformed : error.message();
    return new AttemptOutcome.Failure(
        errorClass,
        error.code(),
        error.httpStatus(),
        Redaction.redact(message == null ? "" : message),
        retryAfterMs);
  }

  /** The outcome of an attempt that got no answer. */
  static AttemptOutcome of(TransportFault fault) {
    ErrorClass errorClass = fault.errorClass();
    return errorClass == null
        ? new AttemptOutcome.Cancelled()
        : new AttemptOutcome.Failure(errorClass, null, null, fault.words(), null);
  }

  /** Whether the provider certainly did nothing with the request. */
  static boolean clearlyRefused(AttemptOutcome.Failure failure) {
    return switch (failure.errorClass()) {
      case RATE_LIMIT,
          QUOTA_EXCEEDED,
          UNAUTHORIZED,
          METHOD_NOT_FOUND,
          METHOD_UNSUPPORTED,
          CAPABILITY_VIOLATION,
          REQUEST_TOO_LARGE,
          TX_NOT_ACCEPTED ->
          true;
      default -> Objects.equals(failure.httpStatus(), 503);
    };
  }

  /**
   * Whether a provider's own words about this are more use to the caller than "nobody could serve".
   */
  static boolean tellsTheCaller(ErrorClass errorClass) {
    return switch (errorClass) {
      case METHOD_NOT_FOUND,
          METHOD_UNSUPPORTED,
          CAPABILITY_VIOLATION,
          RANGE_TOO_LARGE,
          RESPONSE_TOO_LARGE,
          REQUEST_TOO_LARGE,
          EXECUTION_TIMEOUT,
          BLOCK_NOT_FOUND,
          MISSING_DATA,
          TX_NOT_ACCEPTED ->
          true;
      default -> errorClass.failover() != ErrorClass.Failover.NEXT;
    };
  }

  /** The JSON-RPC code for a refusal that came without one. */
  static int code(ErrorClass errorClass) {
    return switch (errorClass) {
      case PARSE_ERROR -> RpcFault.PARSE_ERROR;
      case INVALID_PARAMS -> RpcFault.INVALID_PARAMS;
      case CLIENT_ERROR -> RpcFault.INVALID_REQUEST;
      case EXECUTION_REVERTED -> REVERTED;
      default -> RpcFault.SERVER_ERROR;
    };
  }

  private static @Nullable String body(UpstreamError error) {
    return error.data() == null
        ? error.message()
        : error.message() == null ? error.data() : error.message() + " " + error.data();
  }
}
