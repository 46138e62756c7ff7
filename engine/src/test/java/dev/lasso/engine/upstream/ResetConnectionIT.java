package dev.lasso.engine.upstream;

import static dev.lasso.engine.upstream.UpstreamScene.SMALL;
import static dev.lasso.engine.upstream.UpstreamScene.assertResult;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import dev.lasso.testkit.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Providers that cut idle connections off instead of closing them. */
class ResetConnectionIT {
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 37\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":777}"
          .getBytes(StandardCharsets.US_ASCII);

  @RegisterExtension final LogCapture log = LogCapture.ofEverything();

  private final UpstreamScene scene = new UpstreamScene();

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void anIdleConnectionThatIsResetLeavesThePoolWithoutNoise() throws Exception {
    try (ServerSocket provider = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CountDownLatch taken = new CountDownLatch(1);
      Thread answering = Thread.ofVirtual().start(() -> answerOnceAndReset(provider, taken));
      HttpUpstream upstream = scene.upstream(provider.getLocalPort(), "/", SMALL);
      assertResult(scene.outcome(upstream, "m", 5_000), "777");
      taken.countDown();
      Await.until(() -> assertThat(scene.onLoop(upstream::connections)).isZero());
      answering.join();
    }
    log.assertNoUnexpectedErrors();
  }

  private static void answerOnceAndReset(ServerSocket provider, CountDownLatch taken) {
    try (Socket socket = provider.accept()) {
      assertThat(socket.getInputStream().read(new byte[4_096])).isPositive();
      socket.getOutputStream().write(ANSWER);
      socket.getOutputStream().flush();
      taken.await();
      socket.setSoLinger(true, 0);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
