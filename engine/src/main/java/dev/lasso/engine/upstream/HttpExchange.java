package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.ResponseScanner;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.routing.errors.UpstreamError;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request and its answer. Lives on the event loop of its upstream. The connection goes
 * back to the pool only after a complete answer; in every other case it is closed, so that a late
 * byte can't reach another call.
 */
final class HttpExchange implements UpstreamCall, ConnectionPool.Waiter, AnswerBody.Reader {
  private enum State {
    WAITING,
    SENT,
    READING,
    STREAMING,
    ENDED
  }

  private static final long NEW_CONNECTION = -1;

  private final HttpUpstream upstream;
  private final UpstreamRequest request;
  private final long id;
  private final Handler<UpstreamOutcome> done;

  private State state = State.WAITING;
  private long timer = -1;
  private boolean retried;
  private ConnectionPool.@Nullable Connection connection;
  private @Nullable HttpClientResponse response;
  private @Nullable AnswerBody body;
  private @Nullable ResponseScanner scanner;
  private @Nullable HttpResultStream stream;
  private long bodyBytes;

  HttpExchange(
      HttpUpstream upstream, UpstreamRequest request, long id, Handler<UpstreamOutcome> done) {
    this.upstream = upstream;
    this.request = request;
    this.id = id;
    this.done = done;
  }

  void start() {
    timer = upstream.vertx().setTimer(request.timeoutMs(), expired -> timedOut());
    upstream
        .pool()
        .acquire(this, request.replaySafe() ? Long.MAX_VALUE : upstream.settings().freshWithinMs());
  }

  private void timedOut() {
    timer = -1;
    switch (state) {
      case WAITING ->
          fail(
              upstream.pool().dialsHang(request.timeoutMs() / 2)
                  ? TransportFault.CONNECT_TIMEOUT
                  : TransportFault.BUSY);
      case SENT, READING -> fail(TransportFault.TIMEOUT);
      case STREAMING, ENDED -> {}
    }
  }

  @Override
  public void cancel() {
    if (state != State.ENDED) {
      end();
      drop();
    }
  }

  @Override
  public void refused(TransportFault fault) {
    // told inside acquire, too: the outcome always comes later
    upstream.vertx().runOnContext(later -> fail(fault));
  }

  @Override
  public void ready(ConnectionPool.Connection ready) {
    connection = ready;
    state = State.SENT;
    ready.http().request(upstream.options()).onComplete(opened -> opened(ready, opened));
  }

  private void opened(ConnectionPool.Connection on, AsyncResult<HttpClientRequest> opened) {
    if (connection != on || state != State.SENT) {
      return;
    }
    if (opened.failed()) {
      lost(opened.cause());
      return;
    }
    HttpClientRequest http = opened.result();
    http.response().onComplete(answered -> answered(on, answered));
    http.end(request.call().encode(id)).onFailure(cause -> {});
  }

  private void answered(ConnectionPool.Connection on, AsyncResult<HttpClientResponse> answered) {
    if (connection != on || state != State.SENT) {
      return;
    }
    if (answered.failed()) {
      lost(answered.cause());
      return;
    }
    state = State.READING;
    HttpClientResponse head = answered.result();
    response = head;
    scanner = new ResponseScanner(id, upstream.settings().scan());
    try {
      AnswerBody plain = AnswerBody.of(upstream.vertx(), head);
      body = plain;
      plain.read(this);
    } catch (DecoderException e) {
      broken(e);
    }
  }

  /** The connection failed before a byte of the answer. */
  private void lost(Throwable cause) {
    ConnectionPool.Connection dead = connection;
    if (dead != null && dead.used() && !retried && request.replaySafe()) {
      retried = true;
      connection = null;
      state = State.WAITING;
      dead.close();
      upstream.pool().acquire(this, NEW_CONNECTION);
      return;
    }
    fail(TransportFault.exchanging(cause));
  }

  @Override
  public void broken(Throwable cause) {
    fail(TransportFault.exchanging(cause));
  }

  @Override
  public void bytes(Buffer chunk) {
    ResponseScanner reading = scanner;
    if (reading == null || state == State.ENDED) {
      return;
    }
    bodyBytes += chunk.length();
    if (bodyBytes > upstream.settings().maxResponseBytes()) {
      fail(TransportFault.TOO_LARGE);
      return;
    }
    switch (reading.feed(chunk.getBytes())) {
      case MORE -> {}
      case STREAMING -> stream(reading.streamed());
      case REFUSED -> {
        ScannedAnswer answer = reading.end();
        if (state == State.STREAMING) {
          fail(TransportFault.PROTOCOL);
        } else {
          end();
          drop();
          done.handle(outcome(answer));
        }
      }
    }
  }

  private void stream(JsonSlice part) {
    HttpResultStream running = stream;
    if (running != null) {
      running.bytes(part);
      return;
    }
    AnswerBody rest = body;
    if (rest == null) {
      return;
    }
    rest.pause();
    state = State.STREAMING;
    stopTimer();
    HttpResultStream started =
        new HttpResultStream(upstream.vertx(), upstream.settings(), rest, part, this::cancel);
    started.onStall(() -> fail(TransportFault.TIMEOUT));
    stream = started;
    done.handle(new UpstreamOutcome.Streaming(started));
  }

  @Override
  public void complete() {
    ResponseScanner reading = scanner;
    HttpClientResponse head = response;
    ConnectionPool.Connection used = connection;
    if (state == State.ENDED || reading == null || head == null) {
      return;
    }
    ScannedAnswer answer = reading.end();
    HttpResultStream running = stream;
    end();
    if (used != null) {
      used.giveBack(keepAliveMs(head));
    }
    if (running == null) {
      done.handle(outcome(answer));
    } else if (answer instanceof ScannedAnswer.Streamed) {
      running.complete();
    } else {
      running.broken(TransportFault.PROTOCOL);
    }
  }

  private UpstreamOutcome outcome(ScannedAnswer answer) {
    HttpClientResponse head = response;
    if (head == null) {
      return new UpstreamOutcome.Failed(TransportFault.PROTOCOL, true);
    }
    return switch (answer) {
      case ScannedAnswer.Result result -> new UpstreamOutcome.Result(result.result());
      case ScannedAnswer.RpcError error ->
          new UpstreamOutcome.Refused(
              new UpstreamError(
                  head.statusCode(),
                  error.code(),
                  error.message(),
                  error.data() == null ? null : error.data().toString()),
              error,
              head.headers(),
              null);
      case ScannedAnswer.Malformed malformed ->
          new UpstreamOutcome.Refused(
              UpstreamError.http(head.statusCode(), malformed.preview()),
              null,
              head.headers(),
              malformed.reason());
      case ScannedAnswer.Streamed _ -> new UpstreamOutcome.Failed(TransportFault.PROTOCOL, true);
    };
  }

  /** How long the provider keeps the connection open when idle; 0 when it closes it. */
  private static long keepAliveMs(HttpClientResponse head) {
    String connection = head.getHeader(HttpHeaders.CONNECTION);
    if (connection != null && connection.equalsIgnoreCase("close")) {
      return 0;
    }
    if (head.version() == HttpVersion.HTTP_1_0
        && (connection == null || !connection.equalsIgnoreCase("keep-alive"))) {
      return 0;
    }
    return KeepAlive.timeoutMs(head.getHeader("Keep-Alive"));
  }

  private void fail(TransportFault fault) {
    if (state == State.ENDED) {
      return;
    }
    boolean sent = state != State.WAITING;
    HttpResultStream running = stream;
    end();
    drop();
    if (running != null) {
      running.broken(fault);
    } else {
      done.handle(new UpstreamOutcome.Failed(fault, sent));
    }
  }

  private void end() {
    if (state == State.WAITING) {
      upstream.pool().giveUp(this);
    }
    state = State.ENDED;
    stopTimer();
    if (body != null) {
      body.close();
    }
    if (stream != null) {
      stream.stopTimers();
    }
  }

  private void drop() {
    if (connection != null) {
      connection.close();
    }
  }

  private void stopTimer() {
    if (timer >= 0) {
      upstream.vertx().cancelTimer(timer);
      timer = -1;
    }
  }
}
