package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answers of one call that a later attempt may better: a null, and the first error that would
 * tell the caller something. Owned by its {@link CallRun}, on its event loop.
 */
final class HeldBack {
  private Held.@Nullable Null nothing;
  private @Nullable Held error;

  void hold(Held.Null answer) {
    nothing = answer;
  }

  boolean hasNull() {
    return nothing != null;
  }

  /** Keeps a provider's error where it tells the caller something and is the first that does. */
  void hold(Held.ProviderError answer, ErrorClass errorClass) {
    if (Failures.tellsTheCaller(errorClass) && !hasProviderError()) {
      error = answer;
    }
  }

  /**
   * Keeps a refusal of the request in words that are no JSON-RPC: they may be a gateway's in front
   * of the node, so they are told, in our words, only when nobody has anything better to say.
   */
  void hold(Flight flight, AttemptOutcome.Failure refusal, double latencyMs) {
    if (refusal.errorClass().failover() == ErrorClass.Failover.FINAL && error == null) {
      error =
          new Held.Refusal(
              flight,
              Failures.code(refusal.errorClass()),
              "The provider refused the request: " + refusal.message(),
              latencyMs);
    }
  }

  boolean hasProviderError() {
    return error instanceof Held.ProviderError;
  }

  /** Whether an earlier provider gave an error with the same code. */
  boolean confirms(ScannedAnswer.RpcError later) {
    return error instanceof Held.ProviderError(Flight _, ScannedAnswer.RpcError earlier, double _)
        && Objects.equals(earlier.code(), later.code());
  }

  /** What to answer when nothing better came: a null before an error; null for nothing at all. */
  @Nullable Held best() {
    return nothing == null ? error : nothing;
  }
}
