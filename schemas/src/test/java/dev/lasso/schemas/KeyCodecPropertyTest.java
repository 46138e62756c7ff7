package dev.lasso.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyCodecPropertyTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyMethodNameComesBackAndNoTwoShareAKey(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      MetricsKey one = key(text(random));
      MetricsKey other = key(text(random));
      assertThat(TopicKeys.METRICS.fromBytes(TopicKeys.METRICS.toBytes(one))).isEqualTo(one);
      assertThat(TopicKeys.METRICS.format(one).equals(TopicKeys.METRICS.format(other)))
          .isEqualTo(one.equals(other));
    }
  }

  @Test
  void keyReadsAsItsParts() {
    assertThat(TopicKeys.METRICS.format(key("eth_call")))
        .isEqualTo("eu|default|1|node-0123456789ab|eth_call|http");
    assertThat(TopicKeys.METRICS.format(key("a|b%c\n")))
        .isEqualTo("eu|default|1|node-0123456789ab|a%7cb%25c%0a|http");
    assertThat(TopicKeys.METRICS.form())
        .isEqualTo("region|profile|chain|instance|method|transport");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "eu",
        "eu|default|1|node|eth_call|http|more",
        "eu|default|x|node|eth_call|http",
        "eu|default|0|node|eth_call|http",
        "eu|default|1|node|eth_call|carrier-pigeon",
        "eu|default|1|node|%|http",
        "eu|default|1|node|%zz|http",
        "eu||1|node|eth_call|http"
      })
  void textOfAnotherFormIsABadKey(String text) {
    assertThatThrownBy(() -> TopicKeys.METRICS.fromBytes(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOfSatisfying(
            UnreadableRecord.class,
            e -> assertThat(e.reason()).isEqualTo(UnreadableRecord.Reason.BAD_KEY));
  }

  @Test
  void missingKeyIsABadKey() {
    assertThatThrownBy(() -> TopicKeys.CHAIN.fromBytes(null))
        .isInstanceOf(UnreadableRecord.class)
        .hasMessageContaining("no key");
  }

  private static MetricsKey key(String method) {
    return new MetricsKey(
        Region.of("eu"),
        ProfileSlug.of("default"),
        ChainId.of(1),
        InstanceId.of("node-0123456789ab"),
        method,
        Transport.HTTP);
  }

  private static String text(RandomGenerator random) {
    String alphabet = "ab|%7c\n\u0000\u007fü🎉";
    int[] symbols = alphabet.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.appendCodePoint(symbols[random.nextInt(symbols.length)]);
    }
    return text.toString();
  }
}
