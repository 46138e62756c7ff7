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

/** Writes the answer to an HTTP request, whole or as it comes. The request's event loop. */
final class HttpAnswerSink implements AnswerSink {
  private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Lasso-Request-Id");
  private static final CharSequence BLOCK = HttpHeaders.createOptimized("X-Lasso-Block");

  private final HttpServerRequest request;
  private final RequestOptions.Metadata metadata;
  private final ServedRequest served;

  HttpAnswerSink(
      HttpServerRequest request, RequestOptions.Metadata metadata, ServedRequest served) {
    this.request = request;
    this.metadata = metadata;
    this.served = served;
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
    Buffer body =
        metadata == RequestOptions.Metadata.BODY && answer.getByte(0) == '{'
            ? Metadata.into(answer, info)
            : answer;
    response.setStatusCode(info.httpStatus()).end(body);
  }

  @Override
  public Stream stream(Buffer head, AnswerInfo info) {
    HttpServerResponse response = request.response();
    head(info);
    response.setChunked(true).setStatusCode(info.httpStatus());
    var _ = response.write(head);
    boolean explains = metadata == RequestOptions.Metadata.BODY && head.getByte(0) == '{';
    return new ResponseStream(info, explains);
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

    ResponseStream(AnswerInfo info, boolean explains) {
      this.info = info;
      this.explains = explains;
    }

    @Override
    public void write(JsonSlice part) {
      var _ = request.response().write(part.appendTo(Buffer.buffer(part.size())));
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
      request.response().end(explains ? Metadata.into(tail, info) : tail);
    }

    @Override
    public void abort() {
      served.brokeOff();
      // an HTTP/1.1 body that ends without its last chunk can't be taken for a whole one
      request.connection().close();
    }
  }
}
