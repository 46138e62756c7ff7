package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhraseTest {
  @ParameterizedTest
  @CsvSource({
    "rate limit, RateLimitExceeded",
    "rate-limit, rate limits",
    "rate limit, rate-limited? no: RATE_LIMITS",
    "block range, 10 block ranges",
    "a/b c, b c",
    "at the? end, at end",
    "at the? end, at the end",
    "# block, '10,000 blocks'",
    "# block, 10k blocks",
    "too * large, too very much large",
    "too * large, too large",
    "'^ eof', EOF at last",
    "'not found $', block not found.",
    "cant find, can't find it",
    "address, addresses"
  })
  void matches(String phrase, String text) {
    assertThat(matchesAnywhere(phrase, text)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "rate limit, corporate limits",
    "eof, geofence",
    "# block, some blocks",
    "# block, 0x10 blocks",
    "'^ eof', unexpected EOF",
    "'not found $', not found here",
    "too * large, too a b c d e f g h i j k large"
  })
  void doesNotMatch(String phrase, String text) {
    assertThat(matchesAnywhere(phrase, text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "* a", "a? b", "a-b/c", "...", "a $ b", "a * b * c * d", "^", "a//b"})
  void phrasesThatCannotBeReadAreRefused(String phrase) {
    assertThatIllegalArgumentException().isThrownBy(() -> matchesAnywhere(phrase, "a"));
  }

  @Test
  void textBeyondTheLimitIsNotRead() {
    assertThat(Words.of("a ".repeat(Words.MAX_CHARS))).hasSize(Words.MAX_CHARS / 2);
  }

  private static boolean matchesAnywhere(String phrase, String text) {
    return Phrase.parse(phrase).matches(Words.of(text));
  }
}
