package dev.lasso.engine.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lasso.engine.rpc.RequestBody.Item;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded inputs over parser and scanner: valid texts, texts with bytes changed, and noise. Jackson
 * is the second opinion on what is JSON.
 */
class RpcPropertyTest {
  private static final ObjectMapper JACKSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final int INPUTS_PER_SEED = 35_000;

  private static final String[] TOKENS = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"id\"",
    "\"jsonrpc\"",
    "\"2.0\"",
    "\"method\"",
    "\"params\"",
    "\"result\"",
    "\"error\"",
    "\"code\"",
    "\"message\"",
    "\"eth_call\"",
    "1",
    "-0",
    "1.5e3",
    "null",
    "true",
    "\\u00e9",
    "é",
    "\\",
    " ",
    "\n",
    "7",
    "\"7\"",
    "0x",
    "\u0001"
  };

  private static final String[] BODIES = {
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"eth_call\",\"params\":[{\"to\":\"0x1\"},\"latest\"]}",
    "[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"method\":\"b\"}]",
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"number\":\"0x1\",\"list\":[1,-2.5e+1,true,null,\"\\u00e9é€😀\"]}}",
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"no\",\"data\":[{}]},\"id\":7}",
    "{\"result\":\"0xabcdefabcdefabcdefabcdefabcdefabcdef\",\"id\":7,\"jsonrpc\":\"2.0\"}"
  };

  private static byte[] input(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> mutated(random);
      case 1 -> tokens(random);
      case 2 -> noise(random);
      default -> BODIES[random.nextInt(BODIES.length)].getBytes(StandardCharsets.UTF_8);
    };
  }

  private static byte[] mutated(SplittableRandom random) {
    byte[] text = BODIES[random.nextInt(BODIES.length)].getBytes(StandardCharsets.UTF_8);
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      text[random.nextInt(text.length)] = (byte) random.nextInt(256);
    }
    return random.nextInt(3) == 0
        ? java.util.Arrays.copyOf(text, random.nextInt(text.length))
        : text;
  }

  private static byte[] tokens(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int count = random.nextInt(24);
    for (int i = 0; i < count; i++) {
      text.append(TOKENS[random.nextInt(TOKENS.length)]);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] noise(SplittableRandom random) {
    byte[] text = new byte[random.nextInt(40)];
    random.nextBytes(text);
    return text;
  }

  private static boolean validUtf8(byte[] text) {
    return java.util.Arrays.equals(
        new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), text);
  }

  private static boolean jacksonAccepts(byte[] text) {
    try {
      JsonNode node = JACKSON.readTree(new String(text, StandardCharsets.UTF_8));
      return node != null && !node.isMissingNode();
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void everyBodyIsReadOrRefusedAsAJsonParserWould(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < INPUTS_PER_SEED; i++) {
      byte[] text = input(random);
      RequestBody body = RequestParser.parse(text, EnvelopeLimits.DEFAULT);
      boolean json =
          !(body instanceof RequestBody.Refused refused
              && refused.fault().code() == RpcFault.PARSE_ERROR);
      if (i % 5 == 0) {
        assertThat(json)
            .as("seed %d input %d: %s", seed, i, new String(text, StandardCharsets.UTF_8))
            .isEqualTo(validUtf8(text) && jacksonAccepts(text));
      }
      check(body, seed, i);
    }
  }

  private static void check(RequestBody body, long seed, int i) {
    List<Item> items =
        switch (body) {
          case RequestBody.Single single -> List.of(single.item());
          case RequestBody.Batch batch -> batch.items();
          case RequestBody.Refused refused -> List.of();
        };
    for (Item item : items) {
      if (item instanceof RequestBody.RequestEnvelope envelope && i % 3 == 0) {
        byte[] sent = envelope.call().encode(i).getBytes();
        assertThat(jacksonAccepts(sent)).as("seed %d input %d", seed, i).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void chunkBoundariesNeverChangeAnAnswer(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < INPUTS_PER_SEED; i++) {
      byte[] text = input(random);
      ScanLimits limits =
          new ScanLimits(1 + random.nextInt(60), 64 + random.nextInt(100), 8 + random.nextInt(8));
      ScannedAnswer whole = scanWhole(text);
      Scan pieces = scanInPieces(text, limits, random);
      UpstreamMessage.read(text, limits);
      assertThat(pieces.summary(whole))
          .as("seed %d input %d: %s", seed, i, new String(text, StandardCharsets.UTF_8))
          .isTrue();
    }
  }

  private static ScannedAnswer scanWhole(byte[] text) {
    ResponseScanner scanner = new ResponseScanner(7, new ScanLimits(1 << 20, 1 << 20, 1000));
    scanner.feed(text.clone());
    return scanner.end();
  }

  private static Scan scanInPieces(byte[] text, ScanLimits limits, SplittableRandom random) {
    ResponseScanner scanner = new ResponseScanner(7, limits);
    StringBuilder streamed = new StringBuilder();
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    int at = 0;
    while (at < text.length) {
      int next = Math.min(text.length, at + 1 + random.nextInt(12));
      byte[] copy = text.clone();
      ResponseScanner.Progress progress = scanner.feed(copy, at, next);
      out.writeBytes(scanner.streamed().toArray());
      if (progress == ResponseScanner.Progress.REFUSED) {
        break;
      }
      at = next;
    }
    streamed.append(out.toString(StandardCharsets.UTF_8));
    return new Scan(scanner.end(), streamed.toString());
  }

  private record Scan(ScannedAnswer answer, String streamed) {
    boolean summary(ScannedAnswer whole) {
      return switch (answer) {
        case ScannedAnswer.Result result ->
            whole instanceof ScannedAnswer.Result other && other.result().sameText(result.result());
        case ScannedAnswer.Streamed ignored ->
            whole instanceof ScannedAnswer.Result other
                && other.result().toString().equals(streamed);
        case ScannedAnswer.RpcError error ->
            whole instanceof ScannedAnswer.RpcError other
                && other.message().equals(error.message())
                && other.error().sameText(error.error());
        // depth and size limits of the pieces may refuse what the whole accepts
        case ScannedAnswer.Malformed malformed ->
            whole instanceof ScannedAnswer.Malformed
                || malformed.reason().startsWith("more than")
                || malformed.reason().startsWith("nested deeper");
      };
    }
  }
}
