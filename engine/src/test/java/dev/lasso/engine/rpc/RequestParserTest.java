package dev.lasso.engine.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.rpc.RequestBody.Batch;
import dev.lasso.engine.rpc.RequestBody.Invalid;
import dev.lasso.engine.rpc.RequestBody.Refused;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RequestBody.Single;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestParserTest {
  private static RequestBody parse(String text) {
    return RequestParser.parse(
        text.getBytes(StandardCharsets.UTF_8), new EnvelopeLimits(32, 3, 40, 60));
  }

  private static RequestEnvelope envelope(String text) {
    return (RequestEnvelope) ((Single) parse(text)).item();
  }

  private static Invalid invalid(String text) {
    return (Invalid) ((Single) parse(text)).item();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "1",
        "-42",
        "1.5",
        "9007199254740993",
        "18446744073709551615",
        "1e400",
        "\"a\\u0041\"",
        "\"\"",
        "null",
        "\"é\""
      })
  void keepsTheTextOfAnId(String id) {
    RequestEnvelope envelope =
        envelope("{\"id\":" + id + ",\"jsonrpc\":\"2.0\",\"method\":\"eth_chainId\"}");
    assertThat(envelope.id()).hasToString(id);
    assertThat(envelope.notification()).isFalse();
  }

  @Test
  void readsMembersInAnyOrderAndLeavesOthersOut() {
    RequestEnvelope envelope =
        envelope(
            "\uFEFF \n"
                + "{ \"extra\" : {\"method\":\"x\"} ,\t\"params\" : [ {\"to\":\"0x1\"}, \"latest\""
                + " ] ,\"method\":\"eth_call\",\"id\":7,\"jsonrpc\":\"2.0\"} ");
    assertThat(envelope.call().method()).isEqualTo("eth_call");
    assertThat(envelope.call().params()).hasToString("[ {\"to\":\"0x1\"}, \"latest\" ]");
    assertThat(envelope.call().encode(12).toString())
        .isEqualTo(
            "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"eth_call\",\"params\":[ {\"to\":\"0x1\"},"
                + " \"latest\" ]}");
  }

  @Test
  void resolvesEscapesInKeysAndMethodNames() {
    RequestEnvelope envelope =
        envelope("{\"jsonrpc\":\"2.0\",\"i\\u0064\":1,\"\\u006dethod\":\"eth_\\u0063all\"}");
    assertThat(envelope.call().method()).isEqualTo("eth_call");
    assertThat(envelope.id()).hasToString("1");
  }

  @Test
  void sendsEscapedMethodNamesEscaped() {
    RequestEnvelope envelope = envelope("{\"jsonrpc\":\"2.0\",\"method\":\"a\\\"\\n\\\\b\"}");
    assertThat(envelope.call().method()).isEqualTo("a\"\n\\b");
    assertThat(envelope.call().encode(1).toString())
        .contains("\"method\":\"a\\\"\\u000a\\\\b\",\"params\":[]");
  }

  @Test
  void aCallWithoutIdIsANotification() {
    assertThat(envelope("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}").notification()).isTrue();
  }

  @Test
  void missingAndNullParamsAreAnEmptyArray() {
    assertThat(envelope("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}").call().params())
        .hasToString("[]");
    assertThat(envelope("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":null}").call().params())
        .hasToString("[]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}x",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\",}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":1.}",
        "{\"a\":1e}",
        "{\"a\":tru}",
        "{\"a\":nul1}",
        "{'a':1}",
        "{\"a\" 1}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"tab\there\"}",
        "[1 2]",
        "[1}",
        "NaN",
        "{\"a\":1}{\"a\":1}"
      })
  void refusesWhatIsNoJson(String text) {
    assertThat(parse(text))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.fault().code()).isEqualTo(-32700));
  }

  @Test
  void refusesInvalidUtf8InsideStrings() {
    for (byte[] bad :
        new byte[][] {
          {(byte) 0xC0, (byte) 0x80},
          {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
          {(byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
          {(byte) 0x80},
          {(byte) 0xE2, (byte) 0x82}
        }) {
      byte[] text = new byte[bad.length + 2];
      text[0] = '"';
      System.arraycopy(bad, 0, text, 1, bad.length);
      text[text.length - 1] = '"';
      assertThat(RequestParser.parse(text, EnvelopeLimits.DEFAULT)).isInstanceOf(Refused.class);
    }
  }

  @Test
  void refusesNestingBeyondTheLimit() {
    String deep = "[".repeat(30) + "]".repeat(30);
    assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":" + deep + "}"))
        .isInstanceOf(Single.class);
    String deeper = "[".repeat(32) + "]".repeat(32);
    assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":" + deeper + "}"))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.fault().message()).contains("nested deeper than 32"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "\"text\"",
        "null",
        "{}",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"1.0\",\"method\":\"m\"}",
        "{\"jsonrpc\":2.0,\"method\":\"m\"}",
        "{\"method\":\"m\",\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"method\":5}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":\"x\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":true}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":[1]}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"method\":\"n\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[],\"params\":[]}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1,\"id\":2}",
        "{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\",\"method\":\"m\"}"
      })
  void jsonThatIsNoRequestIsInvalid(String text) {
    assertThat(invalid(text).fault().code()).isEqualTo(-32600);
  }

  @Test
  void anInvalidRequestKeepsAReadableId() {
    assertThat(invalid("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":1}").id())
        .hasToString("\"q\"");
    assertThat(invalid("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}").id())
        .hasToString("null");
  }

  @Test
  void refusesIdsAndMethodsThatAreTooLong() {
    assertThat(invalid("{\"jsonrpc\":\"2.0\",\"id\":" + "1".repeat(61) + ",\"method\":\"m\"}"))
        .extracting(item -> item.id().toString())
        .isEqualTo("null");
    assertThat(invalid("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + "m".repeat(41) + "\"}"))
        .extracting(item -> item.id().toString())
        .isEqualTo("1");
  }

  @Test
  void oneBadItemSpoilsOnlyItself() {
    RequestBody body =
        parse(
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},[1],"
                + "{\"jsonrpc\":\"2.0\",\"method\":\"b\",\"params\":[[]]}]");
    assertThat(body).isInstanceOf(Batch.class);
    Batch batch = (Batch) body;
    assertThat(batch.items()).hasSize(3);
    assertThat(((RequestEnvelope) batch.items().get(0)).call().method()).isEqualTo("a");
    assertThat(batch.items().get(1)).isInstanceOf(Invalid.class);
    assertThat(((RequestEnvelope) batch.items().get(2)).call().params()).hasToString("[[]]");
    assertThat(((RequestEnvelope) batch.items().get(2)).notification()).isTrue();
  }

  @Test
  void refusesAnEmptyAndAnOversizedBatch() {
    assertThat(parse("[]"))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.fault().code()).isEqualTo(-32600));
    assertThat(parse("[1,2,3,4]"))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.fault().message()).contains("4 calls, at most 3"));
  }

  @Test
  void readsARangeOfALargerArray() {
    byte[] text =
        "###{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"m\"}###".getBytes(StandardCharsets.UTF_8);
    RequestBody body = RequestParser.parse(text, 3, text.length - 3, EnvelopeLimits.DEFAULT);
    RequestEnvelope envelope = (RequestEnvelope) ((Single) body).item();
    assertThat(envelope.id()).hasToString("5");
    assertThat(envelope.call().method()).isEqualTo("m");
  }
}
