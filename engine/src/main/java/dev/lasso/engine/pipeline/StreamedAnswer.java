package dev.lasso.engine.pipeline;

import dev.lasso.engine.upstream.ResultStream;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import org.jspecify.annotations.Nullable;

/**
 * A large result on its way to the caller. The attempt counts for the time to its first bytes, not
 * for its reader's speed. Confined to the call's event loop.
 */
final class StreamedAnswer {
  private final Flight flight;
  private final ResultStream stream;
  private final CallRecord record;
  private final double latencyMs;
  private boolean flowing = true;

  /**
   * @param latencyMs until the first bytes
   */
  StreamedAnswer(Flight flight, ResultStream stream, CallRecord record, double latencyMs) {
    this.flight = flight;
    this.stream = stream;
    this.record = record;
    this.latencyMs = latencyMs;
  }

  /** Begins to answer with it. */
  void run(Reply reply) {
    AnswerSink.Stream to = reply.stream(record.streamedBy(flight, latencyMs));
    new StreamRelay(to, stream).run(this::ended);
  }

  private void ended(@Nullable TransportFault fault) {
    if (flowing) {
      flowing = false;
      if (fault == null) {
        count(new AttemptOutcome.Success(), RoutingDecision.Outcome.ANSWERED);
      } else {
        count(Failures.of(fault), RoutingDecision.Outcome.EXHAUSTED);
      }
    }
  }

  /** The caller has gone; does nothing when all has been sent. */
  void cancel() {
    if (flowing) {
      flowing = false;
      stream.cancel();
      count(new AttemptOutcome.Cancelled(), RoutingDecision.Outcome.CANCELLED);
    }
  }

  private void count(AttemptOutcome attempt, RoutingDecision.Outcome outcome) {
    record.ended(flight, attempt, latencyMs);
    record.decided(outcome);
  }
}
