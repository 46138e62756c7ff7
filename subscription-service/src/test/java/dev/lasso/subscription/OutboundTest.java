package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A client's queue, over a socket that Vert.x no longer lets anybody write to. */
class OutboundTest {
  private final AtomicBoolean saidGoodbye = new AtomicBoolean();
  private final AtomicInteger written = new AtomicInteger();

  /** As Vert.x: once the client's close frame is read, asking whether the queue is full throws. */
  private ServerWebSocket socket() {
    return (ServerWebSocket)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ServerWebSocket.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "isClosed" -> saidGoodbye.get();
                  case "writeQueueFull" -> {
                    if (saidGoodbye.get()) {
                      throw new IllegalStateException("WebSocket is closed");
                    }
                    yield false;
                  }
                  case "writeFrame" -> {
                    written.incrementAndGet();
                    yield null;
                  }
                  default -> null;
                });
  }

  @Test
  void aClientThatSaidGoodbyeIsToldNothingMore() {
    Outbound outbound =
        new Outbound(
            socket(),
            1_000,
            new AnswerBytes(1_000).account(),
            new ClientMeters(new SimpleMeterRegistry(), InstantSource.system()));
    outbound.send(Buffer.buffer("first"));
    saidGoodbye.set(true);

    outbound.send(Buffer.buffer("second"));

    assertThat(written).hasValue(1);
    assertThat(outbound.waitingBytes()).isZero();
  }
}
