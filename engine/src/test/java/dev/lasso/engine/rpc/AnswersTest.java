package dev.lasso.engine.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static final JsonSlice ID = JsonSlice.of("18446744073709551615");

  @Test
  void aResultIsWrappedInTheCallersId() {
    assertThat(Answers.result(ID, JsonSlice.of("{\"a\":1}")))
        .hasToString("{\"jsonrpc\":\"2.0\",\"id\":18446744073709551615,\"result\":{\"a\":1}}");
    assertThat(Answers.resultHead(ID).appendString("[]").appendBuffer(Answers.resultTail()))
        .hasToString("{\"jsonrpc\":\"2.0\",\"id\":18446744073709551615,\"result\":[]}");
  }

  @Test
  void messagesAreEscaped() {
    assertThat(Answers.error(JsonSlice.NULL, -32000, "a \"b\"\n\\ é", JsonSlice.of("[1]")))
        .hasToString(
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"a"
                + " \\\"b\\\"\\u000a\\\\ é\",\"data\":[1]}}");
  }

  @Test
  void batchesKeepTheirOrder() {
    assertThat(
            Answers.batch(
                List.of(
                    Answers.result(JsonSlice.of("1"), JsonSlice.NULL),
                    Answers.error(JsonSlice.of("2"), RpcFault.invalidRequest("x")))))
        .hasToString(
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null},{\"jsonrpc\":\"2.0\",\"id\":2,"
                + "\"error\":{\"code\":-32600,\"message\":\"Invalid request: x\"}}]");
  }
}
