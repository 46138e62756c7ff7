package dev.lasso.runtime.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
  @ParameterizedTest
  @CsvSource({"kitten, sitting, 3", "flaw, lawn, 2", "same, same, 0", "'', abc, 3", "abc, '', 3"})
  void distanceCountsSingleCharacterEdits(String from, String to, int edits) {
    assertThat(NearestName.distance(from, to)).isEqualTo(edits);
  }

  @Test
  void findsTheSlipOfTheKeyboard() {
    assertThat(NearestName.to("LASSO_PROT", List.of("LASSO_HOST", "LASSO_PORT", "LASSO_REGION")))
        .contains("LASSO_PORT");
  }

  @Test
  void suggestsNothingThatLooksUnlike() {
    assertThat(NearestName.to("LASSO_X", List.of("LASSO_GATEWAY_EVENT_LOOPS"))).isEmpty();
  }
}
