package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import dev.lasso.testkit.LogCapture;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Raw bytes at the gateway's port: requests with any line, headers, framing and body. Each is
 * answered with a proper HTTP response or the connection is closed; nothing hangs, nothing is held.
 */
class GatewayFuzzIT {
  /** In all; {@code bin/fuzz} sends twenty thousand. */
  private static final int INPUTS = Integer.getInteger("lasso.fuzz.http", 800);

  private static final String[] LINES = {
    "POST /rpc/ethereum HTTP/1.1",
    "POST /rpc/ethereum?include_meta=body HTTP/1.1",
    "POST /rpc/fastest/1 HTTP/1.1",
    "GET /rpc/ethereum HTTP/1.1",
    "HEAD /health/live HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "DELETE /rpc HTTP/1.1",
    "POST /rpc/%00 HTTP/1.1",
    "POST // HTTP/1.1",
    "POST http://x/rpc/ethereum HTTP/1.1",
    "BREW /rpc/ethereum HTTP/1.1",
    "POST /rpc/ethereum",
    "POST /rpc/ethereum HTTP/9.9",
    "GET /metrics HTTP/1.0",
    "GET /api/providers/ethereum HTTP/1.1",
    "POST /rpc/profile/x/provider/y/z?min_block=q HTTP/1.1",
    "\u0000\u0001",
    "GET /ws/rpc/1 HTTP/1.1"
  };
  private static final String[] HEADERS = {
    "Host: x",
    "Content-Type: application/json",
    "Content-Type: text/plain",
    "Expect: 100-continue",
    "Accept-Encoding: gzip",
    "Content-Encoding: gzip",
    "Content-Encoding: br",
    "X-Lasso-Include-Meta: headers",
    "X-Lasso-Min-Block: 5",
    "X-Lasso-Strategy: no",
    "X-Api-Key: k",
    "X-Forwarded-For: 1.2.3.4, x",
    "Origin: https://a",
    "Connection: close",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Transfer-Encoding: gzip",
    "Bad Header: 1",
    ": none",
    "Cookie: \u0001"
  };
  private static final String[] BODIES = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_gasPrice\",\"params\":[]}",
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_chainId\"},7]",
    "[]",
    "{}",
    "",
    "{",
    "null",
    "{\"jsonrpc\":\"2.0\",\"method\":\"eth_gasPrice\"}",
    "\u0000",
    "[[[[[["
  };

  /** Fails the test when the gateway logged an error. */
  @RegisterExtension final LogCapture log = LogCapture.ofLasso();

  private TestGateway gateway;

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start();
    gateway.serving(
        TestGateway.providers(
            ScriptedProvider.start(gateway.vertx, ScriptedProvider.result("\"0x1\""))));
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private static byte[] request(SplittableRandom random) {
    StringBuilder text = new StringBuilder(LINES[random.nextInt(LINES.length)]).append("\r\n");
    for (int count = random.nextInt(6); count > 0; count--) {
      text.append(HEADERS[random.nextInt(HEADERS.length)]).append("\r\n");
    }
    String body = BODIES[random.nextInt(BODIES.length)];
    switch (random.nextInt(5)) {
      case 0 -> text.append("Transfer-Encoding: chunked\r\n\r\n");
      case 1 -> text.append("Content-Length: ").append(random.nextInt(-2, 90)).append("\r\n\r\n");
      case 2 -> text.append("\r\n");
      default -> text.append("Content-Length: ").append(body.length()).append("\r\n\r\n");
    }
    byte[] bytes = text.append(body).toString().getBytes(StandardCharsets.ISO_8859_1);
    if (random.nextInt(4) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  /** What comes back until the gateway closes or has answered and is quiet. */
  private String exchange(byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request);
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (SocketException reset) {
      return ""; // closed with our bytes unread
    }
  }

  @Test
  void anyBytesAreAnsweredProperlyOrTheConnectionIsClosed() throws Exception {
    int answered = 0;
    for (int i = 0; i < INPUTS; i++) {
      byte[] request = request(new SplittableRandom(i));
      String response = exchange(request);
      if (!response.isEmpty()) {
        answered++;
        isHttp(response, "input " + i + ": " + new String(request, StandardCharsets.ISO_8859_1));
      }
    }
    assertThat(answered).isGreaterThan(INPUTS / 3);
    Await.until(() -> assertThat(gateway.parts.limits().inFlightBytes().taken()).isZero());
    assertThat(gateway.inFlight("u1")).isZero();
    assertThat(gateway.ask("eth_gasPrice", "[]").result()).isEqualTo("0x1");
  }

  private static void isHttp(String response, String input) {
    // a request of another protocol is refused under the name that it gave itself
    assertThat(response).as(input).matches("(?s)[^ \r\n]+/\\d\\.\\d \\d{3} .*\r\n\r\n.*");
    int at = response.indexOf(' ') + 1;
    int status = Integer.parseInt(response, at, at + 3, 10);
    assertThat(status)
        .as(input)
        .isIn(100, 101, 200, 204, 400, 404, 405, 411, 413, 414, 415, 417, 426, 431, 501, 503, 505);
    int head = response.indexOf("\r\n\r\n");
    boolean json =
        response.substring(0, head).toLowerCase(java.util.Locale.ROOT).contains("content-length")
            && response.contains("application/json")
            && !response.contains("content-encoding: gzip")
            && head + 4 < response.length()
            && response.indexOf("HTTP/1.", 9) < 0;
    if (json) {
      Object body = Json.decodeValue(response.substring(head + 4));
      if (body instanceof JsonObject object && object.containsKey("jsonrpc")) {
        assertThat(object.containsKey("result"))
            .as(input)
            .isNotEqualTo(object.containsKey("error"));
      }
    }
  }
}
