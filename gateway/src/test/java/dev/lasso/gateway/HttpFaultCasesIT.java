package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.testkit.Await;
import io.micrometer.core.instrument.Meter;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fault cases F015 to F021: HTTP on both sides. */
class HttpFaultCasesIT {
  private static final String READ = "eth_getUncleCountByBlockNumber";

  private TestGateway gateway;

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start();
  }

  @AfterEach
  void stop() throws Exception {
    gateway.close();
  }

  private ScriptedProvider provider(ScriptedProvider.Behaviour behaviour) throws Exception {
    return ScriptedProvider.start(gateway.vertx, behaviour);
  }

  private HttpResponse<byte[]> raw(FaultCase.Request request) throws Exception {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(gateway.uri("/rpc/ethereum"))
            .POST(HttpRequest.BodyPublishers.ofString(request.text()));
    String encoding = request.headers().getString("Accept-Encoding", "");
    if (!encoding.isEmpty()) {
      builder.header("Accept-Encoding", encoding);
    }
    return gateway.client().send(builder.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String decoded(HttpResponse<byte[]> response) throws Exception {
    if (response.headers().firstValue("Content-Encoding").orElse("").equals("gzip")) {
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private static String large(int bytes) {
    return "\"" + "0123456789abcdef".repeat(bytes / 16) + "\"";
  }

  @Test
  void f015OneDecodingYieldsTheJson() throws Exception {
    String result = large(50_000);
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.result(result))));
    for (FaultCase.Request request : FaultCase.of("F015").requests()) {
      HttpResponse<byte[]> response = raw(request);
      assertThat(decoded(response))
          .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}");
      boolean wantsGzip = request.headers().getString("Accept-Encoding").contains("gzip");
      assertThat(response.headers().firstValue("Content-Encoding").isPresent())
          .isEqualTo(wantsGzip);
    }
  }

  @Test
  void f016LargeAndStreamedAnswersAreCompressedAndSayThatTheyVary() throws Exception {
    for (int bytes : new int[] {130_000, 3_000_000}) {
      gateway.serving(TestGateway.providers(provider(ScriptedProvider.result(large(bytes)))));
      List<FaultCase.Request> requests = FaultCase.of("F016").requests();
      HttpResponse<byte[]> big = raw(requests.getFirst());
      assertThat(big.headers().firstValue("Content-Encoding")).contains("gzip");
      assertThat(big.headers().firstValue("Vary").orElse("")).containsIgnoringCase("accept-enc");
      assertThat(decoded(big)).hasSizeGreaterThan(bytes);
      HttpResponse<byte[]> small = raw(requests.getLast());
      assertThat(decoded(small)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"0x1\"}");
    }
  }

  @Test
  void compressedRequestsAreRead() throws Exception {
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.result("\"0x1\""))));
    HttpResponse<String> response =
        postGzip(TestGateway.call(READ, "[]").getBytes(StandardCharsets.UTF_8));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(response.body()).getString("result")).isEqualTo("0x1");
  }

  @Test
  void aCompressedBombIsRefusedAndItsBytesGivenBack() throws Exception {
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.result("\"0x1\""))));
    byte[] bomb = new byte[64 << 20];
    java.util.Arrays.fill(bomb, (byte) ' ');
    assertThat(postGzip(bomb).statusCode()).isEqualTo(413);
    Await.until(() -> assertThat(gateway.parts.limits().inFlightBytes().taken()).isZero());
    assertThat(gateway.ask(READ, "[]").status()).isEqualTo(200);
  }

  private HttpResponse<String> postGzip(byte[] body) throws Exception {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(body);
    }
    return gateway
        .client()
        .send(
            HttpRequest.newBuilder(gateway.uri("/rpc/ethereum"))
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofByteArray(zipped.toByteArray()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void f017RequestsToProvidersSayThatTheyAreJson() throws Exception {
    ScriptedProvider u1 =
        provider(
            call -> {
              if (String.valueOf(call.header("Content-Type")).startsWith("application/json")) {
                call.result("\"0x1\"");
              } else {
                call.respond(415, "unsupported media type");
              }
            });
    gateway.serving(TestGateway.providers(u1));
    assertThat(gateway.post("/rpc/ethereum", FaultCase.of("F017").asking(READ).request(0)).result())
        .isEqualTo("0x1");
  }

  @Test
  void f018TheCallersMistakesAreNoIllHealth() throws Exception {
    FaultCase row = FaultCase.of("F018").asking(READ);
    List<ScriptedProvider.Behaviour> behaviours =
        List.of(
            ScriptedProvider.byRules(row.rules("U1")),
            call -> {
              if (call.method().equals("eth_getBalance")) {
                call.respond(413, "payload too large");
              } else {
                call.result("\"0x1\"");
              }
            });
    for (ScriptedProvider.Behaviour behaviour : behaviours) {
      gateway.serving(TestGateway.providers(provider(behaviour)));
      List<Reply> replies = new ArrayList<>();
      for (String request : row.texts()) {
        replies.add(gateway.post("/rpc/ethereum", request));
      }
      assertThat(replies.getLast().result()).isEqualTo("0x1");
      assertThat(replies.subList(0, 10)).allSatisfy(reply -> assertThat(reply.error()).isNotNull());
      assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
    }
  }

  @Test
  void f018TheProvidersOwnErrorReachesTheCaller() throws Exception {
    FaultCase row = FaultCase.of("F018");
    gateway.serving(TestGateway.providers(provider(ScriptedProvider.byRules(row.rules("U1")))));
    Reply reply = gateway.post("/rpc/ethereum", row.request(0));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.code()).isEqualTo(-32602);
  }

  @Test
  void f019ConnectionsThatTheProviderClosedAreNotNoticed() throws Exception {
    ScriptedProvider u1 =
        provider(
            call -> {
              call.result("\"0x1\"");
              call.after(1, call::cut);
            });
    gateway.serving(TestGateway.providers(u1));
    for (int i = 0; i < 20; i++) {
      assertThat(gateway.ask(READ, "[]").result()).isEqualTo("0x1");
    }
    assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
  }

  @Test
  void f019ATransactionIsHandedToNoProviderTwice() throws Exception {
    ScriptedProvider u1 = provider(ScriptedProvider.Call::cut);
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x2\""));
    String transaction = FaultCase.of("F019").requests().getLast().text();
    gateway.serving(TestGateway.providers(u1));
    assertThat(gateway.post("/rpc/ethereum", transaction).status()).isEqualTo(503);
    assertThat(u1.calls("eth_sendRawTransaction")).isEqualTo(1);
    // the same signed bytes are idempotent: another provider may get them after an unclear outcome
    gateway.serving(TestGateway.providers(u1, u2));
    assertThat(gateway.post("/rpc/ethereum", transaction).result()).isEqualTo("0x2");
    assertThat(u1.calls("eth_sendRawTransaction")).isEqualTo(2);
    assertThat(u2.calls("eth_sendRawTransaction")).isEqualTo(1);
  }

  @Test
  void f019AnAnsweredTransactionLeavesNoStaleConnectionToTheNext() throws Exception {
    ScriptedProvider u1 =
        provider(
            call -> {
              call.result("\"0x1\"");
              call.after(1, call::cut);
            });
    ScriptedProvider u2 = provider(ScriptedProvider.result("\"0x1\""));
    gateway.serving(TestGateway.providers(u1, u2));
    String transaction = FaultCase.of("F019").requests().getLast().text();
    for (int i = 0; i < 20; i++) {
      long before = u1.calls().size();
      assertThat(gateway.post("/rpc/ethereum", transaction).result()).isEqualTo("0x1");
      assertThat(u1.calls().size() - before).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void f020PlacesComeBackAfterTimeouts() throws Exception {
    ScriptedProvider u1 = provider(call -> {});
    gateway.serving(TestGateway.providers(u1));
    FaultCase row = FaultCase.of("F020").asking("eth_blockNumber");
    List<Reply> lost = gateway.postAll(row.texts().subList(0, 200));
    assertThat(lost).allSatisfy(reply -> assertThat(reply.status()).isEqualTo(503));
    u1.behaves(ScriptedProvider.result("\"0x1\""));
    Await.until(
        () -> {
          assertThat(gateway.ask(READ, "[]").status()).isEqualTo(200);
          assertThat(gateway.circuit("u1")).isEqualTo(CircuitStatus.CLOSED);
        });
    assertThat(gateway.postAll(row.texts().subList(200, 220)).stream().map(Reply::result))
        .containsOnly("0x1");
    assertThat(gateway.inFlight("u1")).isZero();
    assertThat(u1.unanswered()).isZero();
  }

  @Test
  void f021OverloadEndsInResultsOrAClearError() throws Exception {
    ScriptedProvider u1 = provider(call -> call.after(1_000, () -> call.result("\"0x1\"")));
    gateway.serving(TestGateway.providers(u1));
    List<String> requests = FaultCase.of("F021").texts();
    List<Reply> replies = gateway.postAll(requests);
    for (int i = 0; i < replies.size(); i++) {
      Reply reply = replies.get(i);
      assertThat(reply.json().getInteger("id")).isEqualTo(i);
      assertThat(reply.status()).isIn(200, 503);
      if (reply.status() == 503) {
        assertThat(reply.error().getString("message"))
            .isIn(
                "Overloaded: no connection to a provider became free in time",
                "All providers failed",
                "No provider is available now");
      }
    }
    Await.until(() -> assertThat(gateway.inFlight("u1")).isZero());
    u1.behaves(ScriptedProvider.result("\"0x2\""));
    Await.until(() -> assertThat(gateway.ask(READ, "[]").result()).isEqualTo("0x2"));
  }

  @Test
  void f056NamesThatCallersMakeUpMakeNoSeries() throws Exception {
    ScriptedProvider u1 =
        provider(call -> call.error(-32601, "no method " + call.method() + " here"));
    gateway.serving(TestGateway.providers(u1));
    askWithMadeUpNames("first", 20);
    Set<Meter.Id> before = series();
    askWithMadeUpNames("more", 300);
    assertThat(series()).isEqualTo(before);
  }

  private void askWithMadeUpNames(String word, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      gateway.ask("eth_" + word + i, "[]");
      gateway.post("/rpc/" + word + i, TestGateway.call(READ, "[]"));
      gateway.post("/rpc/profile/" + word + i + "/ethereum", TestGateway.call(READ, "[]"));
    }
  }

  /** Every series of Lasso's own; those of the JVM come with its first collections. */
  private Set<Meter.Id> series() {
    return gateway.metrics.registry().getMeters().stream()
        .map(Meter::getId)
        .filter(id -> id.getName().startsWith("lasso"))
        .collect(Collectors.toSet());
  }
}
