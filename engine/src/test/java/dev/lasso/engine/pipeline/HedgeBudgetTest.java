package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HedgeBudgetTest {
  private static int spendAll(HedgeBudget budget) {
    int made = 0;
    while (budget.spend()) {
      made++;
    }
    return made;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.02, 0.1, 0.25, 1})
  void hedgesAreNeverMoreThanTheirShareOfTheRequests(double share) {
    HedgeBudget budget = new HedgeBudget(share, 10);
    int made = 0;
    for (int requests = 1; requests <= 2_000; requests++) {
      budget.earn();
      made += budget.spend() ? 1 : 0;
      assertThat((double) made).isLessThanOrEqualTo(share * requests + 1e-6);
    }
    assertThat(made).isBetween((int) (share * 2_000) - 1, (int) (share * 2_000));
  }

  @Test
  void nothingCanBeSpentBeforeItIsEarned() {
    assertThat(spendAll(new HedgeBudget(0.1, 10))).isZero();
  }

  @Test
  void quietTimesSaveForAFewHedgesOnly() {
    HedgeBudget budget = new HedgeBudget(0.5, 7);
    for (int i = 0; i < 10_000; i++) {
      budget.earn();
    }
    assertThat(spendAll(budget)).isEqualTo(7);
  }
}
