package dev.lasso.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one request, no longer than allowed and only while the process has room for it.
 * The request's event loop.
 */
final class BodyReader {
  private final HttpServerRequest request;
  private final int maxBytes;
  private final ByteBudget budget;
  private Buffer read = Buffer.buffer();
  private long held;
  private boolean over;

  /** Told why a body is not taken: an HTTP status and a sentence. */
  interface Refusal {
    void because(int status, String message);
  }

  /** A body read; {@link #release} gives its bytes back to the process's budget, once. */
  final class Body {
    private final byte[] bytes;

    private Body(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }

    void release() {
      giveBack();
    }
  }

  BodyReader(HttpServerRequest request, int maxBytes, ByteBudget budget) {
    this.request = request;
    this.maxBytes = maxBytes;
    this.budget = budget;
  }

  void read(Consumer<Body> whenRead, Refusal refusal) {
    long announced = announced(request.getHeader(HttpHeaders.CONTENT_LENGTH));
    if (announced > maxBytes) {
      refuse(refusal, 413, "Request larger than " + maxBytes + " bytes");
      return;
    }
    if (HttpHeaders.CONTINUE.toString().equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      var _ = request.response().writeContinue();
    }
    request.handler(part -> take(part, refusal));
    request.exceptionHandler(_ -> giveBack());
    request.endHandler(
        _ -> {
          if (!over) {
            over = true;
            whenRead.accept(new Body(read.getBytes()));
          }
        });
  }

  private static long announced(@Nullable String length) {
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private void take(Buffer part, Refusal refusal) {
    if (over) {
      return;
    }
    if (held + part.length() > maxBytes) {
      refuse(refusal, 413, "Request larger than " + maxBytes + " bytes");
    } else if (!budget.take(part.length())) {
      refuse(refusal, 503, "Too many request bytes under way, come again");
    } else {
      held += part.length();
      read = read.length() == 0 ? part : read.appendBuffer(part);
    }
  }

  private void refuse(Refusal refusal, int status, String message) {
    over = true;
    giveBack();
    // what still comes of the body is not read: the connection can't be used again
    request.response().putHeader(HttpHeaders.CONNECTION, "close");
    refusal.because(status, message);
  }

  private void giveBack() {
    budget.giveBack(held);
    held = 0;
    read = Buffer.buffer();
  }
}
