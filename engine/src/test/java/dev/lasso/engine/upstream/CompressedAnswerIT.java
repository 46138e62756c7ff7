package dev.lasso.engine.upstream;

import static dev.lasso.engine.upstream.UpstreamScene.SMALL;
import static dev.lasso.engine.upstream.UpstreamScene.assertFailed;
import static dev.lasso.engine.upstream.UpstreamScene.assertResult;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.testkit.Await;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that come compressed, by honest and by hostile providers. */
class CompressedAnswerIT {
  private static final int MIB = 1 << 20;

  private final UpstreamScene scene = new UpstreamScene();

  @AfterEach
  void stop() {
    scene.close();
  }

  /** An answer to call {@code id} whose result is a string of {@code length} equal letters. */
  private static byte[] gzip(long id, int length) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(
          ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":\"")
              .getBytes(StandardCharsets.UTF_8));
      byte[] part = new byte[MIB];
      Arrays.fill(part, (byte) 'z');
      for (int left = length; left > 0; left -= part.length) {
        gzip.write(part, 0, Math.min(left, part.length));
      }
      gzip.write("\"}".getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private HttpUpstream answering(String encoding, byte[] body) throws Exception {
    int port =
        scene.serveRaw(
            socket ->
                socket.handler(
                    asked ->
                        socket.write(
                            Buffer.buffer(
                                    "HTTP/1.1 200 OK\r\nContent-Encoding: "
                                        + encoding
                                        + "\r\nContent-Length: "
                                        + body.length
                                        + "\r\n\r\n")
                                .appendBytes(body))));
    return scene.upstream(port, "/", SMALL);
  }

  /** Counts what comes of a stream, and how much of it in one turn of the event loop. */
  private final class Counting implements ResultStream.Reader {
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong mostInATurn = new AtomicLong();
    final CompletableFuture<String> ended = new CompletableFuture<>();
    private long inTurn;

    @Override
    public void bytes(JsonSlice part) {
      if (inTurn == 0) {
        scene.loop.runOnContext(_ -> inTurn = 0);
      }
      inTurn += part.size();
      mostInATurn.accumulateAndGet(inTurn, Math::max);
      bytes.addAndGet(part.size());
    }

    @Override
    public void complete() {
      ended.complete("complete");
    }

    @Override
    public void broken(TransportFault fault) {
      ended.complete(fault.name());
    }
  }

  private static ResultStream stream(UpstreamOutcome outcome) {
    assertThat(outcome).isInstanceOf(UpstreamOutcome.Streaming.class);
    return ((UpstreamOutcome.Streaming) outcome).stream();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "x-gzip"})
  void gzipIsReadAsThePlainAnswer(String encoding) throws Exception {
    HttpUpstream upstream = answering(encoding, gzip(1, 5_000));
    assertResult(scene.outcome(upstream, "m", 5_000), "\"" + "z".repeat(5_000) + "\"");
  }

  @Test
  void theConnectionServesTheNextCall() throws Exception {
    int port =
        scene.serve(
            (request, call) ->
                request
                    .response()
                    .putHeader("Content-Encoding", "gzip")
                    .end(Buffer.buffer(gzip(call.getLong("id"), 3))));
    HttpUpstream upstream = scene.upstream(port, "/", SMALL);
    for (int i = 0; i < 5; i++) {
      assertResult(scene.outcome(upstream, "m", 5_000), "\"zzz\"");
    }
    assertThat(scene.connections).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "gzip, gzip", "nonsense"})
  void anEncodingThatWasNotAskedForBreaksTheProtocol(String encoding) throws Exception {
    HttpUpstream upstream = answering(encoding, gzip(1, 3));
    assertFailed(scene.outcome(upstream, "m", 5_000), TransportFault.PROTOCOL, true);
  }

  @Test
  void damagedGzipBreaksTheProtocol() throws Exception {
    byte[] body = gzip(1, 50_000);
    Arrays.fill(body, 12, 40, (byte) 0xff);
    assertFailed(scene.outcome(answering("gzip", body), "m", 5_000), TransportFault.PROTOCOL, true);
    assertFailed(
        scene.outcome(
            answering("gzip", "{\"result\":1}".getBytes(StandardCharsets.UTF_8)), "m", 5_000),
        TransportFault.PROTOCOL,
        true);
  }

  @Test
  void anAnswerCutOffInsideItsGzipIsNoAnswer() throws Exception {
    byte[] whole = gzip(1, 50_000);
    byte[] cut = Arrays.copyOf(whole, whole.length - 20);
    assertThat(scene.outcome(answering("gzip", cut), "m", 5_000))
        .isNotInstanceOf(UpstreamOutcome.Result.class);
  }

  @Test
  void nothingGrowsWhileTheReaderWaitsHoweverWellItWasCompressed() throws Exception {
    int length = 48 * MIB;
    byte[] body = gzip(1, length);
    assertThat(body.length).isLessThan(64 << 10); // one read of the socket
    ResultStream stream = stream(scene.outcome(answering("gzip", body), "m", 5_000));
    Counting counting = new Counting();
    scene.onLoop(
        () -> {
          stream.start(counting);
          stream.pause();
          return true;
        });
    assertThat(counting.bytes.get()).isLessThan(2 * MIB);
    scene.onLoop(
        () -> {
          stream.resume();
          return true;
        });
    assertThat(counting.ended.get(30, TimeUnit.SECONDS)).isEqualTo("complete");
    assertThat(counting.bytes.get() + stream.head().size()).isEqualTo(length + 2L);
    assertThat(counting.mostInATurn.get()).isLessThan(2 * MIB);
  }

  @Test
  void theLimitOfAnAnswerCountsWhatItGrowsTo() throws Exception {
    ResultStream stream =
        stream(scene.outcome(answering("gzip", gzip(1, 80 * MIB)), "m", 5_000)); // limit: 64 MiB
    Counting counting = new Counting();
    scene.onLoop(
        () -> {
          stream.start(counting);
          return true;
        });
    assertThat(counting.ended.get(30, TimeUnit.SECONDS)).isEqualTo("TOO_LARGE");
    Await.until(() -> assertThat(counting.bytes.get()).isLessThanOrEqualTo(64L * MIB));
  }

  @Test
  void aReaderThatGoesAwayEndsIt() throws Exception {
    ResultStream stream = stream(scene.outcome(answering("gzip", gzip(1, 48 * MIB)), "m", 5_000));
    Counting counting = new Counting();
    scene.onLoop(
        () -> {
          stream.start(counting);
          stream.cancel();
          return true;
        });
    scene.onLoop(() -> true);
    long then = counting.bytes.get();
    assertThat(then).isLessThan(2 * MIB);
    scene.onLoop(() -> true);
    assertThat(counting.bytes.get()).isEqualTo(then);
    assertThat(counting.ended).isNotDone();
  }
}
