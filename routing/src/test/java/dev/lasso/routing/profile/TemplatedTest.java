package dev.lasso.routing.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplatedTest {
  private static final Environment KEY_IS_SECRET = Map.of("KEY", "s3cret", "EMPTY", "")::get;

  @Test
  void replacesVariables() {
    assertThat(Templated.parse("https://node/v2/${KEY}?a=${KEY}").resolve(KEY_IS_SECRET))
        .isEqualTo("https://node/v2/s3cret?a=s3cret");
  }

  @Test
  void takesTheDefaultForMissingAndEmptyVariables() {
    assertThat(Templated.parse("${NONE:-a}${EMPTY:-b}${KEY:-c}").resolve(KEY_IS_SECRET))
        .isEqualTo("abs3cret");
    assertThat(Templated.parse("${NONE:-}").resolve(KEY_IS_SECRET)).isEmpty();
  }

  @Test
  void namesEveryMissingVariable() {
    assertThatThrownBy(() -> Templated.parse("${B}${A}${KEY}").resolve(KEY_IS_SECRET))
        .hasMessage("not set: A, B");
  }

  @Test
  void keepsDollarsThatAreNoReferences() {
    assertThat(Templated.parse("$KEY $5 $").resolve(KEY_IS_SECRET)).isEqualTo("$KEY $5 $");
    assertThat(Templated.parse("$${KEY}").resolve(KEY_IS_SECRET)).isEqualTo("${KEY}");
    assertThat(Templated.literal("a${KEY}b").resolve(KEY_IS_SECRET)).isEqualTo("a${KEY}b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"${KEY", "${}", "${1A}", "${A B}", "${A-b}", "${${KEY}}"})
  void refusesMalformedReferences(String source) {
    assertThatThrownBy(() -> Templated.parse(source)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void showsVariableNamesButNeverText() {
    assertThat(Templated.parse("https://node/v2/${KEY}")).hasToString("(redacted, from KEY)");
    assertThat(Templated.parse("https://node/v2/0123456789abcdef")).hasToString("(redacted)");
  }
}
