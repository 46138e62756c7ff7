package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that send a large body and never its last byte. */
class UnfinishedUploadsIT {
  private static final String READ = "eth_getUncleCountByBlockNumber";
  private static final int MAX_BODY = 128 << 10;
  private static final int UPLOADS = 8;

  private final List<Socket> uploads = new ArrayList<>();

  /** A gateway whose process has room for no more than the uploads. */
  private static TestGateway start(String bodyWithin, ScriptedProvider.Behaviour behaviour)
      throws Exception {
    TestGateway gateway =
        TestGateway.start(
            Map.of(
                "LASSO_MAX_REQUEST_BYTES", Integer.toString(MAX_BODY),
                "LASSO_MAX_IN_FLIGHT_REQUEST_BYTES", Integer.toString(UPLOADS * MAX_BODY),
                "LASSO_REQUEST_WITHIN", bodyWithin));
    return gateway.serving(TestGateway.providers(ScriptedProvider.start(gateway.vertx, behaviour)));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket upload : uploads) {
      upload.close();
    }
  }

  /** Announces a body. */
  private Socket begin(TestGateway gateway, int bytes) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
    uploads.add(socket);
    socket.setSoTimeout(30_000);
    String head = "POST /rpc/ethereum HTTP/1.1\r\nHost: x\r\nContent-Length: " + bytes + "\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** Sends all but the last byte of a body as long as allowed. */
  private void upload(TestGateway gateway) throws IOException {
    byte[] body = new byte[MAX_BODY - 1];
    Arrays.fill(body, (byte) ' ');
    begin(gateway, MAX_BODY).getOutputStream().write(body);
  }

  /** What comes until the gateway closes the connection. */
  private static String answer(Socket upload) throws IOException {
    return new String(upload.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private static void holds(TestGateway gateway, long bytes) {
    Await.until(() -> assertThat(gateway.parts.limits().inFlightBytes().taken()).isEqualTo(bytes));
  }

  @Test
  void smallCallsAreServedHoweverManyUploadsStall() throws Exception {
    try (TestGateway gateway = start("1h", ScriptedProvider.result("\"0x1\""))) {
      for (int i = 0; i < UPLOADS; i++) {
        upload(gateway);
      }
      holds(gateway, UPLOADS * (MAX_BODY - 1L));
      assertThat(gateway.ask(READ, "[]").result()).isEqualTo("0x1");
      Reply large = gateway.post("/rpc/ethereum", " ".repeat(MAX_BODY));
      assertThat(large.status()).isEqualTo(503);
      holds(gateway, UPLOADS * (MAX_BODY - 1L));
    }
  }

  @Test
  void anUploadThatIsNotWholeInTimeIsAnsweredAndClosedAndItsBytesGivenBack() throws Exception {
    try (TestGateway gateway = start("2s", ScriptedProvider.result("\"0x1\""))) {
      for (int i = 0; i < UPLOADS; i++) {
        upload(gateway);
      }
      for (Socket upload : uploads) {
        String answer = answer(upload);
        assertThat(answer).startsWith("HTTP/1.1 408 ");
        JsonObject body = new JsonObject(answer.substring(answer.indexOf("\r\n\r\n") + 4));
        assertThat(body.getJsonObject("error"))
            .isEqualTo(
                new JsonObject()
                    .put("code", -32000)
                    .put("message", "Request not whole within 2000 milliseconds"));
      }
      holds(gateway, 0);
      assertThat(gateway.post("/rpc/ethereum", " ".repeat(MAX_BODY)).status()).isEqualTo(400);
    }
  }

  @Test
  void anUploadThatIsRefusedAndNeverEndsIsClosed() throws Exception {
    try (TestGateway gateway = start("300ms", ScriptedProvider.result("\"0x1\""))) {
      String answer = answer(begin(gateway, MAX_BODY + 1));
      assertThat(answer).startsWith("HTTP/1.1 413 ");
      holds(gateway, 0);
    }
  }

  @Test
  void theTimeIsTheBodysAlone() throws Exception {
    try (TestGateway gateway =
        start("1s", call -> call.after(2_000, () -> call.result("\"0x1\"")))) {
      assertThat(gateway.ask(READ, "[]").result()).isEqualTo("0x1");
    }
  }
}
