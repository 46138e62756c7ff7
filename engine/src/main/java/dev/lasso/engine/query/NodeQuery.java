package dev.lasso.engine.query;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.upstream.ResultStream;
import dev.lasso.engine.upstream.TransportFault;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.engine.upstream.UpstreamRequest;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.errors.ErrorClassifier;
import dev.lasso.routing.errors.Redaction;
import dev.lasso.routing.errors.RetryAfter;
import dev.lasso.routing.errors.UpstreamError;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Asks one provider over one transport. Belongs to the event loop that its upstream belongs to;
 * futures never fail and complete there.
 */
public final class NodeQuery {
  private static final int LARGEST_BYTES = 8 << 20;

  private final Upstream upstream;
  private final InstantSource clock;
  private final long timeoutMs;

  /**
   * @param clock for hints that name a time of day
   * @param timeoutMs how long each answer may take
   */
  public NodeQuery(Upstream upstream, InstantSource clock, long timeoutMs) {
    this.upstream = upstream;
    this.clock = clock;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Asks.
   *
   * @param method a method that changes nothing: it may be sent twice
   * @param paramsJson params as JSON text
   */
  public Future<Answer> ask(String method, String paramsJson) {
    Promise<Answer> promise = Promise.promise();
    UpstreamRequest request = new UpstreamRequest(RpcCall.of(method, paramsJson), timeoutMs, true);
    long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    upstream.call(request, outcome -> settle(outcome, promise, untilNs));
    return promise.future();
  }

  /** What a failure of a kind of its own looks like. */
  public static Answer.Failed failed(ErrorClass errorClass, String message) {
    return new Answer.Failed(new Failure(errorClass, null, null, message, null));
  }

  private void settle(UpstreamOutcome outcome, Promise<Answer> promise, long untilNs) {
    switch (outcome) {
      case UpstreamOutcome.Result(JsonSlice result) -> promise.complete(new Answer.Value(result));
      case UpstreamOutcome.Streaming(ResultStream stream) ->
          stream.start(new Collector(stream, promise, untilNs));
      case UpstreamOutcome.Refused refused -> promise.complete(refusal(refused));
      case UpstreamOutcome.Failed(TransportFault fault, boolean _) ->
          promise.complete(failure(fault));
    }
  }

  private static Answer failure(TransportFault fault) {
    ErrorClass errorClass = fault.errorClass();
    return errorClass == null ? new Answer.NotAsked() : failed(errorClass, fault.words());
  }

  private Answer refusal(UpstreamOutcome.Refused refused) {
    UpstreamError error = refused.error();
    ErrorClass errorClass = ErrorClassifier.standard().classify(error).errorClass();
    if (refused.malformed() != null && errorClass == ErrorClass.UNKNOWN) {
      errorClass = ErrorClass.MALFORMED;
    }
    String message = error.message() == null ? "" : error.message();
    String body = error.data() == null ? message : message + " " + error.data();
    Long retryAfterMs =
        errorClass.cooldown() == ErrorClass.Cooldown.NONE
            ? null
            : RetryAfter.read(refused.headers()::get, body, clock.millis());
    return new Answer.Failed(
        new Failure(
            errorClass, error.code(), error.httpStatus(), Redaction.redact(message), retryAfterMs));
  }

  /** Puts a large result together. */
  private static final class Collector implements ResultStream.Reader {
    private final ResultStream stream;
    private final Promise<Answer> promise;
    private final long untilNs;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /**
     * @param untilNs when it must be whole, on the clock of {@link System#nanoTime}
     */
    Collector(ResultStream stream, Promise<Answer> promise, long untilNs) {
      this.stream = stream;
      this.promise = promise;
      this.untilNs = untilNs;
      add(stream.head());
    }

    @Override
    public void bytes(JsonSlice part) {
      boolean late = System.nanoTime() - untilNs > 0;
      if (late || bytes.size() + part.size() > LARGEST_BYTES) {
        stream.cancel();
        promise.tryComplete(failure(late ? TransportFault.TIMEOUT : TransportFault.TOO_LARGE));
        return;
      }
      add(part);
    }

    private void add(JsonSlice part) {
      bytes.write(part.source(), part.from(), part.size());
    }

    @Override
    public void complete() {
      byte[] whole = bytes.toByteArray();
      promise.tryComplete(new Answer.Value(JsonSlice.of(whole, 0, whole.length)));
    }

    @Override
    public void broken(TransportFault fault) {
      promise.tryComplete(failure(fault));
    }
  }
}
