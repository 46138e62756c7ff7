package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lasso.routing.errors.ErrorClass.Cooldown;
import dev.lasso.routing.errors.ErrorClass.Failover;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorClassifierTest {
  private static final ErrorClassifier STANDARD = ErrorClassifier.standard();

  @Test
  void aProvidersRulesComeBeforeTheTableInTheirOrder() {
    ErrorClassifier own =
        ErrorClassifier.withRules(
            List.of(
                rule("busy", Set.of(-32000), List.of("Header Not"), null, ErrorClass.RATE_LIMIT),
                rule("teapot", Set.of(), List.of(), 418, ErrorClass.SERVER_ERROR),
                rule("later", Set.of(-32000), List.of(), null, ErrorClass.MISSING_DATA)));

    assertThat(own.classify(UpstreamError.of(200, -32000, "header not found")))
        .isEqualTo(new Classification(ErrorClass.RATE_LIMIT, "busy"));
    assertThat(own.classify(UpstreamError.of(418, -32000, "x")).rule()).isEqualTo("teapot");
    assertThat(own.classify(UpstreamError.of(200, -32000, "x")).rule()).isEqualTo("later");
    assertThat(own.classify(UpstreamError.of(200, -32001, "header not found")).errorClass())
        .isEqualTo(ErrorClass.BLOCK_NOT_FOUND);
  }

  @Test
  void aProvidersRuleReadsDataToo() {
    ErrorClassifier own =
        ErrorClassifier.withRules(
            List.of(rule("plan", Set.of(), List.of("x 17"), null, ErrorClass.QUOTA_EXCEEDED)));

    assertThat(own.classify(new UpstreamError(200, -32000, "no", "{\"why\":\"X-17\"}")).rule())
        .isEqualTo("plan");
  }

  @Test
  void aRuleWithoutConditionIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("all", Set.of(), List.of(), null, ErrorClass.UNKNOWN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("all", Set.of(), List.of("* gap first"), null, ErrorClass.UNKNOWN));
  }

  @Test
  void theMessageDecidesBeforeCodeAndStatus() {
    assertThat(classify(500, -32601, "execution reverted: Too many requests"))
        .isEqualTo(ErrorClass.EXECUTION_REVERTED);
    assertThat(classify(429, -32601, "nothing known")).isEqualTo(ErrorClass.METHOD_NOT_FOUND);
    assertThat(classify(429, -32000, "nothing known")).isEqualTo(ErrorClass.RATE_LIMIT);
  }

  @Test
  void dataDecidesWhereTheMessageOnlyNamesTheCode() {
    assertThat(
            STANDARD
                .classify(new UpstreamError(200, -32603, "Internal error", "\"missing trie node\""))
                .errorClass())
        .isEqualTo(ErrorClass.MISSING_DATA);
  }

  @Test
  void revertDataIsNotReadAsText() {
    assertThat(
            STANDARD
                .classify(new UpstreamError(200, -32000, "oops", "\"0x08c379a0\""))
                .errorClass())
        .isEqualTo(ErrorClass.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 204})
  void aSuccessfulStatusWithoutJsonRpcIsMalformed(int status) {
    assertThat(STANDARD.classify(UpstreamError.http(status, null)).errorClass())
        .isEqualTo(ErrorClass.MALFORMED);
  }

  @Test
  void everyHttpStatusThatIsNoSuccessHasAClass() {
    for (int status = 300; status < 600; status++) {
      assertThat(STANDARD.classify(UpstreamError.http(status, "")).errorClass())
          .as("status %d", status)
          .isNotEqualTo(ErrorClass.UNKNOWN);
    }
  }

  @Test
  void everyWebSocketCloseHasAClass() {
    for (int code = 1000; code <= 1015; code++) {
      if (code != 1004) { // reserved, RFC 6455 section 7.4.1
        assertThat(STANDARD.classify(UpstreamError.close(code, null)).errorClass())
            .as("close %d", code)
            .isNotEqualTo(ErrorClass.UNKNOWN);
      }
    }
  }

  @Test
  void nothingKnownIsConfirmedElsewhereAndPenalisesNobody() {
    ErrorClass unknown = classify(200, -32000, "quux");

    assertThat(unknown).isEqualTo(ErrorClass.UNKNOWN);
    assertThat(unknown.failover()).isEqualTo(Failover.CONFIRM);
    assertThat(unknown.penalised()).isFalse();
  }

  @Test
  void limitsAreNeverPenalisedAndAlwaysCoolDown() {
    assertThat(ErrorClass.RATE_LIMIT.penalised() || ErrorClass.QUOTA_EXCEEDED.penalised())
        .isFalse();
    assertThat(ErrorClass.RATE_LIMIT.cooldown()).isEqualTo(Cooldown.RATE_LIMIT);
    assertThat(ErrorClass.QUOTA_EXCEEDED.cooldown()).isEqualTo(Cooldown.QUOTA);
  }

  @ParameterizedTest
  @EnumSource(ErrorClass.class)
  void aPenalisedErrorIsNeverFinal(ErrorClass errorClass) {
    assertThat(errorClass.penalised() && errorClass.failover() == Failover.FINAL).isFalse();
  }

  @ParameterizedTest
  @EnumSource(ErrorClass.class)
  void wordsAndCategoriesNameClasses(ErrorClass errorClass) {
    assertThat(ErrorClass.ofWord(errorClass.word())).contains(errorClass);
    assertThat(ErrorClass.ofWord(errorClass.category())).isPresent();
  }

  @Test
  void hugeMessagesAreReadInPart() {
    String page = "<html>".repeat(1_000_000) + "rate limit exceeded";

    assertThat(classify(502, null, page)).isEqualTo(ErrorClass.SERVER_ERROR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "== t\na",
        "== t\na no_class",
        "== t\na timeout code",
        "== t\na timeout code x",
        "== t\na timeout code 5..1",
        "== t\na timeout weather 5",
        "== t\n    phrase without row",
        "== t\na timeout\n    * starts with a gap"
      })
  void linesThatCannotBeReadAreNamed(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleFile.parse(text))
        .withMessageContaining("line " + text.lines().count());
  }

  @Test
  void rowsHaveNamesOfTheirOwn() {
    assertThat(
            ErrorClassifier.tables().values().stream()
                .flatMap(table -> table.rules().stream())
                .map(Rule::name))
        .doesNotHaveDuplicates();
  }

  @Test
  void everyClassButUnknownIsTheClassOfSomeRow() {
    assertThat(
            ErrorClassifier.tables().values().stream()
                .flatMap(table -> table.rules().stream())
                .map(Rule::errorClass))
        .containsAll(
            Arrays.stream(ErrorClass.values()).filter(c -> c != ErrorClass.UNKNOWN).toList());
  }

  private static ErrorClass classify(int status, @Nullable Integer code, String message) {
    return STANDARD.classify(new UpstreamError(status, code, message, null)).errorClass();
  }

  private static ErrorRule rule(
      String name,
      Set<Integer> codes,
      List<String> messages,
      @Nullable Integer status,
      ErrorClass errorClass) {
    return new ErrorRule(
        name, codes, status == null ? Set.of() : Set.of(status), messages, errorClass);
  }
}
