package dev.lasso.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one request, no longer and for no longer than allowed. Beyond what is small,
 * only while the process has room for it: so whoever uploads much, or never ends, keeps no small
 * call out. The request's event loop.
 */
final class BodyReader {
  private final Vertx vertx;
  private final HttpServerRequest request;
  private final GatewaySettings settings;
  private final ByteBudget budget;
  private long timer = -1;
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

  BodyReader(Vertx vertx, HttpServerRequest request, GatewaySettings settings, ByteBudget budget) {
    this.vertx = vertx;
    this.request = request;
    this.settings = settings;
    this.budget = budget;
  }

  void read(Consumer<Body> whenRead, Refusal refusal) {
    timer = vertx.setTimer(settings.bodyWithin().toMillis(), _ -> timeIsOver(refusal));
    request.handler(part -> take(part, refusal));
    request.exceptionHandler(
        _ -> {
          vertx.cancelTimer(timer);
          over = true;
          giveBack();
        });
    request.endHandler(
        _ -> {
          vertx.cancelTimer(timer);
          if (!over) {
            over = true;
            whenRead.accept(new Body(read.getBytes()));
          }
        });
    if (announced(request.getHeader(HttpHeaders.CONTENT_LENGTH)) > settings.maxBodyBytes()) {
      tooLarge(refusal);
    } else if (HttpHeaders.CONTINUE
        .toString()
        .equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      var _ = request.response().writeContinue();
    }
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
    if (held + part.length() > settings.maxBodyBytes()) {
      tooLarge(refusal);
    } else if (!fits(part.length())) {
      refuse(refusal, 503, "Too many request bytes under way, come again");
    } else {
      held += part.length();
      read = read.length() == 0 ? part : read.appendBuffer(part);
    }
  }

  private boolean fits(int more) {
    if (held + more <= settings.smallBodyBytes()) {
      budget.takeAnyway(more);
      return true;
    }
    return budget.take(more);
  }

  private void tooLarge(Refusal refusal) {
    refuse(refusal, 413, "Request larger than " + settings.maxBodyBytes() + " bytes");
  }

  /** The caller had its time, also to read a refusal while it went on sending. */
  private void timeIsOver(Refusal refusal) {
    if (!over) {
      refuse(
          refusal,
          408,
          "Request not whole within " + settings.bodyWithin().toMillis() + " milliseconds");
    }
    request.connection().close();
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
