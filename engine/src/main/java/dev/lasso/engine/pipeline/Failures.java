package dev.lasso.engine.pipeline;

import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.errors.Redaction;
import dev.lasso.routing.errors.RetryAfter;
import dev.lasso.routing.errors.UpstreamError;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.snapshot.ActiveChain;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a provider said into the outcome of the attempt: its class, and how long it asked us
 * to stay away.
 */
final class Failures {
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

  private static @Nullable String body(UpstreamError error) {
    return error.data() == null
        ? error.message()
        : error.message() == null ? error.data() : error.message() + " " + error.data();
  }
}
