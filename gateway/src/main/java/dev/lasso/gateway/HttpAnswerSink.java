package dev.lasso.gateway;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.pipeline.AnswerInfo;
import dev.lasso.engine.pipeline.AnswerSink;
import dev.lasso.engine.pipeline.Metadata;
import dev.lasso.engine.rpc.JsonSlice;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/** Writes the answer to an HTTP request, whole or as it comes. The request's event loop. */
final class HttpAnswerSink implements AnswerSink {
  private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Lasso-Request-Id");
  private static final CharSequence BLOCK = HttpHeaders.createOptimized("X-Lasso-Block");

  private final HttpServerRequest request;
  private final RequestOptions.Metadata metadata;
  private final int firstBytes;
  private final ServedRequest served;

  /**
   * A sink for one request.
   *
   * @param firstBytes least size of the first piece of a streamed answer, where it has as many
   */
  HttpAnswerSink(
      HttpServerRequest request,
      RequestOptions.Metadata metadata,
      int firstBytes,
      ServedRequest served) {
    this.firstBytes = firstBytes;
    this.request = request;
    this.metadata = metadata;
    this.served = served;
  }

  /** Whether an answer gets its metadata here: the items of a batch carry their own. */
  private boolean explains(Buffer beginning) {
    return metadata == RequestOptions.Metadata.BODY && beginning.getByte(0) == '{';
  }

  @Override
  public void answer(Buffer answer, AnswerInfo info) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      served.brokeOff();
      return;
    }
    if (answer.length() == 0) {
      served.answered(204);
      response.setStatusCode(204).end();
      return;
    }
    served.answered(info.httpStatus());
    head(info);
    Buffer body = explains(answer) ? Metadata.into(answer, info) : answer;
    response.setStatusCode(info.httpStatus()).end(body);
  }

  @Override
  public Stream stream(Buffer head, AnswerInfo info) {
    HttpServerResponse response = request.response();
    head(info);
    response.setChunked(true).setStatusCode(info.httpStatus());
    return new ResponseStream(info, head, explains(head));
  }

  private void head(AnswerInfo info) {
    HttpServerResponse response = request.response();
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, HttpAnswers.JSON)
        .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
        .putHeader(REQUEST_ID, info.requestId().value());
    Long height = info.servedHeight();
    if (height != null) {
      response.putHeader(BLOCK, Long.toString(height));
    }
    Long retryAfterMs = info.retryAfterMs();
    if (info.httpStatus() == 503 && retryAfterMs != null) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString((retryAfterMs + 999) / 1_000));
    }
    if (metadata == RequestOptions.Metadata.HEADERS) {
      Metadata.headers(info, response::putHeader);
    }
  }

  private final class ResponseStream implements Stream {
    private final AnswerInfo info;
    private final boolean explains;

    /**
     * What has not left yet. The connection decides by the first bytes whether the answer is worth
     * compressing, so they have to be many.
     */
    private @Nullable Buffer beginning;

    ResponseStream(AnswerInfo info, Buffer head, boolean explains) {
      this.info = info;
      this.beginning = head.copy();
      this.explains = explains;
    }

    @Override
    public void write(JsonSlice part) {
      Buffer held = beginning;
      if (held == null) {
        var _ = request.response().write(part.appendTo(Buffer.buffer(part.size())));
        return;
      }
      part.appendTo(held);
      if (held.length() >= firstBytes) {
        beginning = null;
        var _ = request.response().write(held);
      }
    }

    @Override
    public boolean full() {
      return request.response().writeQueueFull();
    }

    @Override
    public void onDrain(Runnable resume) {
      request.response().drainHandler(_ -> resume.run());
    }

    @Override
    public void end(Buffer tail) {
      served.answered(info.httpStatus());
      Buffer rest = explains ? Metadata.into(tail, info) : tail;
      request.response().end(beginning == null ? rest : beginning.appendBuffer(rest));
    }

    @Override
    public void abort() {
      served.brokeOff();
      // an HTTP/1.1 body that ends without its last chunk can't be taken for a whole one
      request.connection().close();
    }
  }
}
