package dev.lasso.engine.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any path and any options are understood or refused with a reason; nothing throws. */
class AddressPropertyTest {
  private static final int SEEDS = 2;

  /** In all; {@code bin/fuzz} reads a million. */
  private static final int INPUTS = Integer.getInteger("lasso.fuzz", 60_000);

  private static final String[] SEGMENTS = {
    "ethereum",
    "1",
    "profile",
    "provider",
    "default",
    "fastest",
    "latency-weighted",
    "load_balanced",
    "",
    "..",
    "%2e",
    "é",
    "u1",
    "a".repeat(200),
    "\u0000",
    "?",
    " "
  };
  private static final String[] VALUES = {
    "priority",
    "http",
    "ws",
    "u1",
    "u1,u2,,",
    ",",
    "true",
    "0",
    "0x10",
    "-1",
    "99999999999999999999",
    "0x",
    "headers",
    "body",
    "é",
    "\u0000",
    "x".repeat(1_100),
    " "
  };

  private static String path(SplittableRandom random) {
    StringBuilder path = new StringBuilder();
    for (int count = random.nextInt(7); count > 0; count--) {
      path.append(SEGMENTS[random.nextInt(SEGMENTS.length)]).append('/');
    }
    return random.nextBoolean()
        ? path + SEGMENTS[random.nextInt(SEGMENTS.length)]
        : path.toString();
  }

  private static @Nullable String value(SplittableRandom random) {
    return switch (random.nextInt(20)) {
      case 0 -> VALUES[random.nextInt(VALUES.length)];
      case 1 -> noise(random);
      default -> null;
    };
  }

  private static String noise(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(30)];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, SEEDS})
  void everyAddressIsUnderstoodOrRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int understood = 0;
    for (int i = 0; i < INPUTS / SEEDS; i++) {
      RpcPath path = RpcPath.parse(random.nextInt(4) == 0 ? noise(random) : path(random));
      if (path == null) {
        continue;
      }
      assertThat(path.chain()).isNotEmpty();
      switch (RequestOptions.parse(path, _ -> value(random), _ -> value(random))) {
        case RequestOptions.Parsed.Options(RequestOptions options) -> {
          understood++;
          assertThat(options.minBlock()).isGreaterThanOrEqualTo(-1);
        }
        case RequestOptions.Parsed.Invalid(String message) -> assertThat(message).isNotBlank();
      }
    }
    assertThat(understood).isGreaterThan(INPUTS / SEEDS / 100);
  }
}
