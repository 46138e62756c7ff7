package dev.lasso.engine.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.compression.JdkZlibDecoder;
import io.netty.handler.codec.compression.ZlibWrapper;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer as it was before the provider compressed it. Lives on one event loop.
 *
 * <p>A compressed body grows a little at a time: a few bytes of gzip can stand for a megabyte, so
 * no more is inflated than its reader takes, nor so much in one turn that other calls wait. Memory
 * and pauses therefore do not depend on how well a provider compresses.
 */
abstract sealed class AnswerBody {
  /** Takes the body and how it ends. */
  interface Reader {
    void bytes(Buffer part);

    void complete();

    void broken(Throwable cause);
  }

  /**
   * The body of an answer, not yet flowing.
   *
   * @throws DecoderException when it is compressed in a way that was not asked for
   */
  static AnswerBody of(Vertx vertx, HttpClientResponse response) {
    String encoding = response.getHeader(HttpHeaders.CONTENT_ENCODING);
    return switch (encoding == null ? "" : encoding.strip().toLowerCase(Locale.ROOT)) {
      case "", "identity" -> new Plain(response);
      case "gzip", "x-gzip" -> new Gzip(vertx, response);
      default -> throw new DecoderException("a content-encoding that was not asked for");
    };
  }

  /** Lets it flow. */
  abstract void read(Reader reader);

  /** No bytes any more until {@link #resume}; a part that is under way still comes. */
  abstract void pause();

  abstract void resume();

  /** Nothing more comes. */
  abstract void close();

  private static final class Plain extends AnswerBody {
    private final HttpClientResponse response;

    Plain(HttpClientResponse response) {
      this.response = response;
    }

    @Override
    void read(Reader reader) {
      response.handler(reader::bytes);
      response.exceptionHandler(reader::broken);
      response.endHandler(_ -> reader.complete());
    }

    @Override
    void pause() {
      response.pause();
    }

    @Override
    void resume() {
      response.resume();
    }

    @Override
    void close() {}
  }

  private static final class Gzip extends AnswerBody {
    /** Inflated at once: at most 1,032 times as many come out. */
    private static final int STEP_BYTES = 512;

    /** Handed on together. */
    private static final int PART_BYTES = 64 << 10;

    /** Inflated in one turn of the event loop. */
    private static final int TURN_BYTES = 1 << 20;

    private final Vertx vertx;
    private final HttpClientResponse response;
    private final EmbeddedChannel inflater =
        new EmbeddedChannel(new JdkZlibDecoder(ZlibWrapper.GZIP, 0));
    private final Queue<Buffer> compressed = new ArrayDeque<>();
    private @Nullable Reader reader;
    private int at;
    private boolean paused;
    private boolean turning;
    private boolean turnDue;
    private boolean ended;

    Gzip(Vertx vertx, HttpClientResponse response) {
      this.vertx = vertx;
      this.response = response;
    }

    @Override
    void read(Reader to) {
      reader = to;
      response.handler(
          part -> {
            compressed.add(part);
            response.pause();
            turn();
          });
      response.exceptionHandler(this::broken);
      response.endHandler(
          _ -> {
            ended = true;
            turn();
          });
    }

    @Override
    void pause() {
      paused = true;
      response.pause();
    }

    @Override
    void resume() {
      paused = false;
      turn();
    }

    /** Inflates what has come, until the reader has enough or other work should have its turn. */
    private void turn() {
      if (turning || turnDue) {
        return;
      }
      turning = true;
      try {
        int inflated = 0;
        while (!paused && reader != null && !compressed.isEmpty() && inflated < TURN_BYTES) {
          inflated += part();
        }
      } catch (DecoderException e) {
        broken(e);
      } finally {
        turning = false;
      }
      if (paused || reader == null) {
        return;
      }
      if (!compressed.isEmpty()) {
        turnDue = true;
        vertx.runOnContext(
            _ -> {
              turnDue = false;
              turn();
            });
      } else if (ended) {
        complete();
      } else {
        response.resume();
      }
    }

    /** Hands on one part; its length. */
    private int part() {
      Buffer part = Buffer.buffer();
      while (part.length() < PART_BYTES && !compressed.isEmpty()) {
        step(part);
      }
      if (reader != null && part.length() > 0) {
        reader.bytes(part);
      }
      return part.length();
    }

    private void step(Buffer part) {
      Buffer next = compressed.element();
      int to = Math.min(at + STEP_BYTES, next.length());
      inflater.writeInbound(Unpooled.wrappedBuffer(next.getBytes(at, to)));
      at = to;
      if (at == next.length()) {
        compressed.remove();
        at = 0;
      }
      for (ByteBuf bytes = inflater.readInbound(); bytes != null; bytes = inflater.readInbound()) {
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.readBytes(copy);
        bytes.release();
        part.appendBytes(copy);
      }
    }

    private void complete() {
      Reader told = reader;
      close();
      if (told != null) {
        told.complete();
      }
    }

    private void broken(Throwable cause) {
      Reader told = reader;
      close();
      if (told != null) {
        told.broken(cause);
      }
    }

    @Override
    void close() {
      reader = null;
      compressed.clear();
      if (inflater.pipeline().first() != null) {
        // frees what it holds; closing the channel would inflate the rest
        inflater.pipeline().removeFirst();
      }
      inflater.releaseInbound();
    }
  }
}
