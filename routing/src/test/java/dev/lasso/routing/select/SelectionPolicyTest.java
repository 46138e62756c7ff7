package dev.lasso.routing.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SelectionPolicyTest {
  @Test
  void comesBackFromItsNumbers() {
    SelectionPolicy odd =
        new SelectionPolicy(7, 0.71, 13, 2.5, 11, 0.07, 17, 0.19, 123_456, 4_321, 3, 0.23);

    assertThat(odd).isNotEqualTo(SelectionPolicy.DEFAULT);
    assertThat(SelectionPolicy.of(odd.numbers())).isEqualTo(odd);
    assertThat(odd.numbers()).hasSize(SelectionPolicy.class.getRecordComponents().length);
  }

  @Test
  void takesTheDefaultForWhatIsNotAmongTheNumbers() {
    assertThat(SelectionPolicy.of(Map.of())).isEqualTo(SelectionPolicy.DEFAULT);
    assertThat(SelectionPolicy.of(Map.of("weighted_beta", 1.5)).weightedBeta()).isEqualTo(1.5);
    assertThat(SelectionPolicy.of(Map.of("of_a_newer_version", 1.0)))
        .isEqualTo(SelectionPolicy.DEFAULT);
  }

  @Test
  void refusesNumbersThatNoProcessCanHave() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SelectionPolicy.of(Map.of("trial_lead_probability", 1.5)));
  }
}
