package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.snapshot.SnapshotPosition;
import org.jspecify.annotations.Nullable;

/**
 * A filter's call under way: at whoever serves filters first, then perhaps at a provider. One event
 * loop.
 */
final class FilterRun implements RunningCall {
  private final RpcEngine engine;
  private final RpcTarget target;
  private final SnapshotPosition position;
  private final RequestEnvelope envelope;
  private final @Nullable PinnedChannel pinned;
  private final RequestId requestId;
  private final AnswerSink sink;
  private @Nullable RunningCall current;
  private boolean cancelled;

  FilterRun(
      RpcEngine engine,
      RpcTarget target,
      SnapshotPosition position,
      RequestEnvelope envelope,
      @Nullable PinnedChannel pinned,
      RequestId requestId,
      AnswerSink sink) {
    this.engine = engine;
    this.target = target;
    this.position = position;
    this.envelope = envelope;
    this.pinned = pinned;
    this.requestId = requestId;
    this.sink = sink;
  }

  FilterRun start(FilterCalls filters) {
    RunningCall started = filters.call(target, envelope, this::replied);
    if (current == null) {
      current = started;
    }
    return this;
  }

  private void replied(FilterCalls.Reply reply) {
    if (cancelled) {
      return;
    }
    switch (reply) {
      case FilterCalls.Reply.Whole(var answer) ->
          sink.answer(answer, RpcEngine.ownAnswer(target, requestId));
      case FilterCalls.Reply.Ask(var call) ->
          current =
              engine.call(
                  target,
                  position,
                  new RequestEnvelope(call, envelope.id()),
                  pinned,
                  requestId,
                  sink);
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    if (current != null) {
      current.cancel();
    }
  }
}
