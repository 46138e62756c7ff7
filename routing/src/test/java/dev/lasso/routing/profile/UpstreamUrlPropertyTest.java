package dev.lasso.routing.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Transport;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any text is a URL or refused as none; what is read reads the same again. */
class UpstreamUrlPropertyTest {
  private static final int SEEDS = 2;

  /** In all; {@code bin/fuzz} reads a million. */
  private static final int INPUTS = Integer.getInteger("lasso.fuzz", 60_000);

  private static final String[] PIECES = {
    "http://",
    "https://",
    "HTTP://",
    "ws://",
    "wss://",
    "ftp://",
    "//",
    ":",
    "/",
    "?",
    "#",
    "@",
    "[::1]",
    "[",
    "]",
    "127.0.0.1",
    "node.example",
    "NODE.example.",
    "é.example",
    "xn--e",
    ":80",
    ":443",
    ":0",
    ":65536",
    ":-1",
    ":abc",
    "/v2/key",
    "a=b",
    "&",
    "a=b&a=a",
    "%",
    "%2F",
    "%zz",
    " ",
    "\t",
    "\n",
    "\u0000",
    "user:pw@",
    "\\",
    "..",
    "/./",
    "=",
    "${KEY}"
  };

  private static String text(SplittableRandom random) {
    if (random.nextInt(5) == 0) {
      byte[] noise = new byte[random.nextInt(50)];
      random.nextBytes(noise);
      return new String(noise, StandardCharsets.UTF_8);
    }
    StringBuilder text = new StringBuilder();
    if (random.nextInt(3) > 0) {
      text.append(PIECES[random.nextInt(5)]).append(PIECES[12 + random.nextInt(6)]);
    }
    for (int count = random.nextInt(8); count > 0; count--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private static @Nullable UpstreamUrl read(Transport transport, String text) {
    try {
      return UpstreamUrl.parse(transport, text);
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      return null;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, SEEDS})
  void whatIsReadReadsTheSameAgain(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int read = 0;
    for (int i = 0; i < INPUTS / SEEDS; i++) {
      String text = text(random);
      Transport transport = random.nextBoolean() ? Transport.HTTP : Transport.WS;
      UpstreamUrl url = read(transport, text);
      if (url != null) {
        read++;
        UpstreamUrl again = read(transport, url.normalised());
        assertThat(again).as("seed %d input %d: '%s'", seed, i, text).isNotNull();
        assertThat(again == null ? "" : again.normalised())
            .as("seed %d input %d: '%s'", seed, i, text)
            .isEqualTo(url.normalised());
      }
    }
    assertThat(read).isGreaterThan(INPUTS / SEEDS / 50);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, SEEDS})
  void templatesKeepTheirSource(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < INPUTS / SEEDS / 10; i++) {
      String text = text(random) + (random.nextBoolean() ? "${KEY:-x}" : "$${");
      try {
        Templated template = Templated.parse(text);
        assertThat(template.source()).isEqualTo(text);
        assertThat(template.resolve(_ -> "v")).isNotNull();
      } catch (IllegalArgumentException refused) {
        assertThat(refused.getMessage()).as("input %d: '%s'", i, text).isNotBlank();
      }
    }
  }
}
