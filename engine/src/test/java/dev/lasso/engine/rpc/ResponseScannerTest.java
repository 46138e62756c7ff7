package dev.lasso.engine.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.rpc.ResponseScanner.Progress;
import dev.lasso.engine.rpc.ScannedAnswer.Malformed;
import dev.lasso.engine.rpc.ScannedAnswer.Result;
import dev.lasso.engine.rpc.ScannedAnswer.RpcError;
import dev.lasso.engine.rpc.ScannedAnswer.Streamed;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseScannerTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ScannedAnswer scan(String text) {
    ResponseScanner scanner = new ResponseScanner(7, ScanLimits.DEFAULT);
    scanner.feed(bytes(text));
    return scanner.end();
  }

  private static RpcError error(String text) {
    return (RpcError) scan(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":%s}",
        "{\"jsonrpc\":\"2.0\",\"result\":%s,\"id\":7}",
        "{\"result\":%s,\"id\":\"7\",\"error\":null}",
        " {\"x\":{\"result\":1,\"id\":2},\"id\" : 7 , \"result\" :%s }\n"
      })
  void findsTheResultWhereverItStands(String shape) {
    for (String result : new String[] {"\"0x1\"", "null", "{\"id\":9,\"error\":{}}", "[]", "12"}) {
      assertThat(scan(shape.replace("%s", result)))
          .isInstanceOfSatisfying(Result.class, r -> assertThat(r.result()).hasToString(result));
    }
  }

  @Test
  void readsErrorsWithTheirDataAndKeepsTheirBytes() {
    RpcError error =
        error(
            "{\"id\":7,\"error\":{\"message\":\"execution"
                + " \\\"reverted\\\"\",\"data\":\"0x08c3\",\"code\":3}}");
    assertThat(error.code()).isEqualTo(3);
    assertThat(error.message()).isEqualTo("execution \"reverted\"");
    assertThat(error.data()).hasToString("\"0x08c3\"");
    assertThat(error.wellFormed()).isTrue();
    assertThat(error.error().toString()).startsWith("{\"message\"").endsWith("3}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"id\":null,\"error\":{\"code\":429,\"message\":\"m\"}}|429|m|true",
        "{\"error\":{\"code\":-32005,\"message\":\"m\"},\"result\":null}|-32005|m|true",
        "{\"code\":-32007,\"message\":\"300/second limit\"}|-32007|300/second limit|false",
        "{\"message\":\"Too many requests\"}||Too many requests|false",
        "{\"id\":7,\"error\":\"rate limited\"}||rate limited|false",
        "{\"id\":7,\"error\":{\"code\":\"-32000\",\"message\":\"m\"}}|-32000|m|false",
        "{\"id\":7,\"error\":{\"code\":1e99,\"message\":\"m\"}}||m|false",
        "{\"id\":7,\"error\":{}}||``|false"
      })
  void readsOddErrors(String text, Integer code, String message, boolean wellFormed) {
    RpcError error = error(text);
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.message()).isEqualTo(message);
    assertThat(error.wellFormed()).isEqualTo(wellFormed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rate limited",
        "<html>",
        "[]",
        "[{\"id\":7,\"result\":1}]",
        "\"text\"",
        "{\"id\":7}",
        "{\"id\":7,\"error\":null}",
        "{\"id\":8,\"result\":1}",
        "{\"result\":1}",
        "{\"id\":null,\"result\":1}",
        "{\"id\":7,\"result\":1",
        "{\"id\":7,\"result\":[1,2",
        "{\"id\":7,\"result\":1}}",
        "{\"id\":7,\"result\":1,\"result\":2}",
        "{\"id\":7,\"result\":1,\"error\":{\"code\":1,\"message\":\"m\"}}",
        "{\"id\":9,\"error\":{\"code\":1,\"message\":\"m\"}}",
        "{\"id\":7,\"id\":7,\"result\":1}"
      })
  void everythingElseIsMalformed(String text) {
    assertThat(scan(text))
        .isInstanceOfSatisfying(
            Malformed.class,
            malformed ->
                assertThat(malformed.preview())
                    .startsWith(text.isEmpty() ? "" : text.substring(0, 1)));
  }

  @Test
  void nestingOfThousandsOfLevelsPasses() {
    String deep = "{\"calls\":[".repeat(3000) + "]}".repeat(3000);
    assertThat(scan("{\"id\":7,\"result\":" + deep + "}"))
        .isInstanceOfSatisfying(
            Result.class, r -> assertThat(r.result().size()).isEqualTo(deep.length()));
  }

  @Test
  void handsOutAResultThatGrowsBeyondTheLimitWhileItComes() {
    ResponseScanner scanner = new ResponseScanner(7, new ScanLimits(16, 64, 100));
    StringBuilder forwarded = new StringBuilder();
    assertThat(scanner.feed(bytes("{\"id\":7,\"resu"))).isEqualTo(Progress.MORE);
    assertThat(scanner.feed(bytes("lt\":[\"abcdef\","))).isEqualTo(Progress.STREAMING);
    forwarded.append(scanner.streamed());
    assertThat(scanner.feed(bytes("\"ghijklmnop\""))).isEqualTo(Progress.STREAMING);
    forwarded.append(scanner.streamed());
    assertThat(scanner.feed(bytes("]  ,\"jsonrpc\":"))).isEqualTo(Progress.STREAMING);
    forwarded.append(scanner.streamed());
    assertThat(scanner.feed(bytes("\"2.0\"}"))).isEqualTo(Progress.MORE);
    assertThat(scanner.streamed().size()).isZero();
    assertThat(scanner.end()).isInstanceOf(Streamed.class);
    assertThat(forwarded).hasToString("[\"abcdef\",\"ghijklmnop\"]");
  }

  @Test
  void aStreamedResultThatBreaksIsMalformed() {
    ResponseScanner scanner = new ResponseScanner(7, new ScanLimits(8, 64, 100));
    assertThat(scanner.feed(bytes("{\"id\":7,\"result\":\"abc"))).isEqualTo(Progress.STREAMING);
    assertThat(scanner.streaming()).isTrue();
    assertThat(scanner.end()).isInstanceOf(Malformed.class);
  }

  @Test
  void aStreamedResultMayTellItsIdLast() {
    for (String id : new String[] {"7", "8"}) {
      ResponseScanner scanner = new ResponseScanner(7, new ScanLimits(8, 64, 100));
      assertThat(scanner.feed(bytes("{\"result\":\"abcdef"))).isEqualTo(Progress.STREAMING);
      scanner.feed(bytes("\",\"id\":"));
      scanner.feed(bytes(id + "}"));
      assertThat(scanner.end()).isInstanceOf(id.equals("7") ? Streamed.class : Malformed.class);
    }
  }

  @Test
  void refusesAnErrorBeyondTheLimit() {
    ResponseScanner scanner = new ResponseScanner(7, new ScanLimits(8, 64, 100));
    scanner.feed(bytes("{\"error\":{\"data\":\"" + "x".repeat(3000)));
    assertThat(scanner.feed(bytes("x"))).isEqualTo(Progress.REFUSED);
    assertThat(scanner.end()).isInstanceOf(Malformed.class);
  }

  @Test
  void aWrongIdIsNotHandedOut() {
    ResponseScanner scanner = new ResponseScanner(7, new ScanLimits(8, 64, 100));
    assertThat(scanner.feed(bytes("{\"id\":8,\"result\":\"abcdef"))).isEqualTo(Progress.MORE);
    assertThat(scanner.streaming()).isFalse();
  }
}
