package dev.lasso.routing.event;

import dev.lasso.routing.circuit.CircuitInput;
import dev.lasso.routing.errors.ErrorClass;
import org.jspecify.annotations.Nullable;

/** How one upstream attempt or probe ended. */
public sealed interface AttemptOutcome {
  /** The provider gave a usable answer. */
  record Success() implements AttemptOutcome {}

  /**
   * The provider failed or refused.
   *
   * @param errorClass what kind of error
   * @param code the JSON-RPC error code, or null when there was none
   * @param httpStatus the HTTP status, or null when there was none
   * @param message the provider's message with secrets removed, at most 300 characters
   * @param retryAfterMs how long the provider asked us to stay away, or null when it did not say
   */
  record Failure(
      ErrorClass errorClass,
      @Nullable Integer code,
      @Nullable Integer httpStatus,
      String message,
      @Nullable Long retryAfterMs)
      implements AttemptOutcome {}

  /** We gave up before it ended (caller gone, hedge lost): says nothing about the provider. */
  record Cancelled() implements AttemptOutcome {}

  default boolean succeeded() {
    return this instanceof Success;
  }

  /** Whether a circuit counts it as a failure. */
  default boolean penalised() {
    return this instanceof Failure failure && failure.errorClass().penalised();
  }

  /**
   * What it is to the circuit of the process that made the attempt.
   *
   * @param trial whether the attempt held a trial place
   */
  default CircuitInput attemptInput(boolean trial) {
    if (succeeded()) {
      return trial ? CircuitInput.Trial.SUCCESS : CircuitInput.Attempt.SUCCESS;
    }
    if (penalised()) {
      return trial ? CircuitInput.Trial.FAILURE : CircuitInput.Attempt.FAILURE;
    }
    return trial ? CircuitInput.Trial.NEUTRAL : CircuitInput.Attempt.NEUTRAL;
  }

  /** What it is to a circuit as the outcome of a probe. */
  default CircuitInput probeInput() {
    if (succeeded()) {
      return CircuitInput.Probe.SUCCESS;
    }
    return penalised() ? CircuitInput.Probe.FAILURE : CircuitInput.Probe.NEUTRAL;
  }
}
