package dev.lasso.engine.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamMessageTest {
  private static UpstreamMessage read(String text) {
    return UpstreamMessage.read(text.getBytes(StandardCharsets.UTF_8), ScanLimits.DEFAULT);
  }

  @Test
  void readsRepliesWhateverTheTypeOfTheId() {
    for (String id : new String[] {"12", "\"12\""}) {
      assertThat(read("{\"jsonrpc\":\"2.0\",\"result\":\"0x1\",\"id\":" + id + "}"))
          .isInstanceOfSatisfying(
              UpstreamMessage.Reply.class,
              reply -> {
                assertThat(reply.id()).isEqualTo(12);
                assertThat(reply.answer()).isInstanceOf(ScannedAnswer.Result.class);
              });
    }
  }

  @Test
  void readsNotifications() {
    assertThat(
            read(
                "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"result\":{\"number\":\"0x1\"},\"subscription\":\"0xab\"}}"))
        .isInstanceOfSatisfying(
            UpstreamMessage.Notification.class,
            event -> {
              assertThat(event.subscription()).isEqualTo("0xab");
              assertThat(event.event()).hasToString("{\"number\":\"0x1\"}");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "[]", "{}", "{\"id\":\"q\",\"result\":1}", "{\"error\":{}}"})
  void saysWhatItCannotUse(String text) {
    assertThat(read(text)).isInstanceOf(UpstreamMessage.Unusable.class);
  }
}
