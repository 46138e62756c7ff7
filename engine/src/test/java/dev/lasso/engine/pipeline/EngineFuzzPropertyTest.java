package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.edge.RpcPath;
import dev.lasso.engine.pipeline.EngineScene.Asked;
import dev.lasso.engine.pipeline.EngineScene.Caller;
import dev.lasso.engine.pipeline.EngineScene.Streamed;
import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody;
import dev.lasso.engine.rpc.RequestParser;
import dev.lasso.engine.upstream.TransportFault;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole request path under nonsense: bodies and batches of any form, providers that answer
 * anything under any status and with any {@code Retry-After}. No exception, no caller left without
 * an answer, every answer JSON-RPC under the caller's id.
 */
class EngineFuzzPropertyTest {
  private static final Vertx VERTX = Vertx.vertx();
  private static final int SEEDS = 4;
  private static final int INPUTS_PER_SCENE = 50;

  /** In all; {@code bin/fuzz} sends a million. */
  private static final int INPUTS = Integer.getInteger("lasso.fuzz", 12_000);

  private static final ObjectMapper JACKSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  @AfterAll
  static void close() {
    VERTX.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, SEEDS})
  void everyInputIsAnsweredWithJsonRpc(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Nonsense nonsense = new Nonsense(random);
    EngineScene scene = new EngineScene(VERTX, "a", "b", "c");
    for (int i = 0; i < INPUTS / SEEDS; i++) {
      if (i % INPUTS_PER_SCENE == 0) {
        scene = new EngineScene(VERTX, "a", "b", "c");
      }
      byte[] body = nonsense.request();
      try {
        Caller caller = scene.send(body, nonsense.options());
        if (random.nextInt(50) == 0) {
          caller.leave();
          drain(scene, nonsense);
          continue;
        }
        drain(scene, nonsense);
        check(body, caller);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed %d input %d: %s".formatted(seed, i, new String(body, StandardCharsets.UTF_8)), e);
      }
      assertThat(scene.sharedCalls()).as("seed %d input %d", seed, i).isZero();
    }
  }

  private static void drain(EngineScene scene, Nonsense nonsense) {
    int answered = 0;
    for (Asked asked = scene.next(); asked != null; asked = scene.next()) {
      nonsense.answer(asked);
      assertThat(++answered).as("upstream requests for one input").isLessThan(1_000);
    }
  }

  private static void check(byte[] body, Caller caller) throws JsonProcessingException {
    RequestBody parsed = RequestParser.parse(body, EnvelopeLimits.DEFAULT);
    if (caller.aborted) {
      return; // the connection is cut: nobody takes it for an answer
    }
    String answer = caller.streamed.isEmpty() ? caller.answer() : caller.streamed.toString();
    assertThat(caller.streamed.isEmpty() || caller.ended).as("ended").isTrue();
    switch (parsed) {
      case RequestBody.Refused _ -> isJsonRpc(JACKSON.readTree(answer), JsonSlice.NULL);
      case RequestBody.Single(RequestBody.Item item) ->
          isJsonRpc(JACKSON.readTree(answer), id(item));
      case RequestBody.Batch(List<RequestBody.Item> items) -> {
        List<RequestBody.Item> heard =
            items.stream()
                .filter(
                    item ->
                        !(item instanceof RequestBody.RequestEnvelope call && call.notification()))
                .toList();
        if (heard.isEmpty()) {
          assertThat(answer).isEmpty();
        } else {
          JsonNode array = JACKSON.readTree(answer);
          assertThat(array.isArray()).isTrue();
          assertThat(array.size()).isEqualTo(heard.size());
          for (int i = 0; i < heard.size(); i++) {
            isJsonRpc(array.get(i), id(heard.get(i)));
          }
        }
      }
    }
  }

  private static JsonSlice id(RequestBody.Item item) {
    return Objects.requireNonNullElse(item.id(), JsonSlice.NULL);
  }

  private static void isJsonRpc(JsonNode answer, JsonSlice id) throws JsonProcessingException {
    assertThat(answer.path("jsonrpc").asText()).isEqualTo("2.0");
    assertThat(answer.get("id")).isEqualTo(JACKSON.readTree(id.toString()));
    assertThat(answer.has("result")).isNotEqualTo(answer.has("error"));
    if (answer.has("error")) {
      assertThat(answer.get("error").path("code").isIntegralNumber()).isTrue();
      assertThat(answer.get("error").path("message").isTextual()).isTrue();
    }
  }

  /** What callers and providers may send. */
  private static final class Nonsense {
    private static final String[] METHODS = {
      "eth_call",
      "eth_getLogs",
      "eth_getBlockByNumber",
      "eth_sendRawTransaction",
      "eth_blockNumber",
      "eth_chainId",
      "net_version",
      "debug_traceTransaction",
      "eth_subscribe",
      "personal_sign",
      "eth_getTransactionReceipt",
      "eth_feeHistory",
      "ETH_CALL",
      "\\u0065th_call",
      "",
      "rpc.x",
      "trace_block",
      "eth_getProof",
      "eth_newFilter",
      "\\ud800",
      "eth_getBalance"
    };
    private static final String[] VALUES = {
      "null",
      "true",
      "1",
      "-0",
      "1e999",
      "0.1",
      "18446744073709551616",
      "\"\"",
      "\"latest\"",
      "\"0x\"",
      "\"0x1\"",
      "\"0xffffffffffffffffff\"",
      "\"earliest\"",
      "\"\\u0000\"",
      "{}",
      "[]",
      "{\"fromBlock\":\"0x1\",\"toBlock\":\"0x9999\"}",
      "{\"blockHash\":1}",
      "{\"blockNumber\":\"0x5\",\"requireCanonical\":7}",
      "\"0x02f8\"",
      "[[[[[[]]]]]]",
      "{\"a\":{\"a\":{\"a\":\"é😀\"}}}",
      "\"16\"",
      "\"LATEST\"",
      "\"0x03c0\""
    };
    private static final String[] IDS = {
      "1",
      "0",
      "null",
      "\"\"",
      "\"x\"",
      "18446744073709551616",
      "-7",
      "1.5",
      "[]",
      "{}",
      "true",
      "\"\\u0000\\\"\"",
      "1e3"
    };
    private static final String[] PIECES = {
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "\"",
      "\"id\":7",
      "\"jsonrpc\":\"2.0\"",
      "\"method\":\"eth_call\"",
      "\"params\":[]",
      "\"result\":1",
      "\"error\":{}",
      "\\",
      " ",
      "\u0001",
      "é",
      "null",
      "7"
    };
    private static final String[] RETRY = {
      "1",
      "0",
      "-1",
      "99999999999999999999",
      "Mon, 30 Nov 2026 00:00:00 GMT",
      "soon",
      "",
      "1.5",
      "1h",
      "\u0000",
      "1,2",
      "Mon, 99 Foo 9999 99:99:99 GMT"
    };
    private static final int[] STATUS = {
      200, 200, 200, 200, 204, 301, 400, 401, 402, 403, 404, 408, 413, 415, 429, 429, 499, 500, 502,
      503, 504, 520, 524, 529, 599, 999
    };

    private final SplittableRandom random;

    Nonsense(SplittableRandom random) {
      this.random = random;
    }

    private <T> T any(T[] values) {
      return values[random.nextInt(values.length)];
    }

    RequestOptions options() {
      RequestOptions.Metadata metadata =
          random.nextInt(4) == 0 ? RequestOptions.Metadata.BODY : RequestOptions.Metadata.NONE;
      RequestOptions.Parsed parsed =
          RequestOptions.parse(
              Objects.requireNonNull(RpcPath.parse("priority/ethereum")),
              name ->
                  name.equals("min_block") && random.nextInt(20) == 0
                      ? any(new String[] {"0", "7", "x", "-1", "0x", "99999999999999999999"})
                      : null,
              _ -> null);
      RequestOptions options =
          parsed instanceof RequestOptions.Parsed.Options(RequestOptions read)
              ? read
              : RequestOptions.NONE;
      return new RequestOptions(
          options.strategy(),
          options.provider(),
          options.transport(),
          options.excluded(),
          random.nextInt(10) == 0,
          options.minBlock(),
          options.session(),
          metadata);
    }

    byte[] request() {
      return switch (random.nextInt(8)) {
        case 0, 1, 2 -> bytes(call());
        case 3, 4 -> bytes(batch());
        case 5 -> mutated(bytes(random.nextBoolean() ? call() : batch()));
        case 6 -> bytes(pieces());
        default -> noise();
      };
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    private String call() {
      List<String> members = new ArrayList<>();
      if (random.nextInt(20) > 0) {
        members.add("\"jsonrpc\":\"2.0\"");
      }
      if (random.nextInt(8) > 0) {
        members.add("\"id\":" + any(IDS));
      }
      if (random.nextInt(20) > 0) {
        members.add("\"method\":\"" + any(METHODS) + "\"");
      }
      if (random.nextInt(8) > 0) {
        members.add("\"params\":" + params());
      }
      if (random.nextInt(20) == 0) {
        members.add("\"" + any(METHODS) + "\":" + any(VALUES));
      }
      for (int i = members.size() - 1; i > 0 && random.nextInt(3) == 0; i--) {
        members.add(members.remove(random.nextInt(i + 1)));
      }
      return "{" + String.join(",", members) + "}";
    }

    private String params() {
      if (random.nextInt(12) == 0) {
        return any(VALUES);
      }
      List<String> params = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        params.add(any(VALUES));
      }
      return "[" + String.join(",", params) + "]";
    }

    private String batch() {
      List<String> items = new ArrayList<>();
      int size = random.nextInt(30) == 0 ? 49 + random.nextInt(4) : random.nextInt(5);
      for (int i = 0; i < size; i++) {
        items.add(random.nextInt(10) == 0 ? any(VALUES) : call());
      }
      return "[" + String.join(",", items) + "]";
    }

    private byte[] mutated(byte[] text) {
      for (int changes = 1 + random.nextInt(3); changes > 0 && text.length > 0; changes--) {
        text[random.nextInt(text.length)] = (byte) random.nextInt(256);
      }
      return random.nextInt(3) == 0
          ? java.util.Arrays.copyOf(text, random.nextInt(text.length + 1))
          : text;
    }

    private String pieces() {
      StringBuilder text = new StringBuilder();
      for (int count = random.nextInt(24); count > 0; count--) {
        text.append(any(PIECES));
      }
      return text.toString();
    }

    private byte[] noise() {
      byte[] text = new byte[random.nextInt(60)];
      random.nextBytes(text);
      return text;
    }

    private byte[] answerBody() {
      String error =
          "{\"code\":"
              + any(new String[] {"-32000", "3", "429", "\"x\"", "1e99", "null", "-32005", "{}"})
              + ",\"message\":"
              + any(
                  new String[] {
                    "\"execution reverted\"",
                    "\"header not found\"",
                    "null",
                    "7",
                    "\"\\ud800\"",
                    "\"Too many requests, retry in 1h\"",
                    "\"nonce too low\"",
                    "\"already known\"",
                    "\"no such thing\"",
                    "{}"
                  })
              + (random.nextBoolean() ? ",\"data\":" + any(VALUES) : "")
              + "}";
      String id = random.nextInt(6) == 0 ? any(IDS) : "7";
      return switch (random.nextInt(8)) {
        case 0, 1 ->
            bytes("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + any(VALUES) + "}");
        case 2, 3 -> bytes("{\"id\":" + id + ",\"error\":" + error + "}");
        case 4 -> mutated(bytes("{\"id\":7,\"result\":" + any(VALUES) + "}"));
        case 5 -> mutated(bytes("{\"id\":7,\"error\":" + error + "}"));
        case 6 -> bytes(pieces());
        default -> noise();
      };
    }

    void answer(Asked asked) {
      if (asked.cancelled && random.nextBoolean()) {
        return;
      }
      switch (random.nextInt(12)) {
        case 0 -> asked.fails(any(TransportFault.values()), random.nextBoolean());
        case 1 -> stream(asked);
        default -> {
          MultiMap headers = MultiMap.caseInsensitiveMultiMap();
          if (random.nextInt(3) == 0) {
            headers.add("Retry-After", any(RETRY));
          }
          if (random.nextInt(6) == 0) {
            headers.add("x-ratelimit-reset", any(RETRY));
          }
          asked.body(STATUS[random.nextInt(STATUS.length)], headers, answerBody());
        }
      }
    }

    private void stream(Asked asked) {
      Streamed stream = asked.streams("\"abc");
      if (stream.reader == null) {
        return; // nobody wants it
      }
      for (int parts = random.nextInt(3); parts > 0; parts--) {
        stream.reader().bytes(JsonSlice.of("xyz".repeat(random.nextInt(1, 50))));
      }
      if (random.nextInt(3) == 0) {
        stream.reader().broken(TransportFault.CLOSED);
      } else {
        stream.reader().bytes(JsonSlice.of("\""));
        stream.reader().complete();
      }
    }
  }
}
