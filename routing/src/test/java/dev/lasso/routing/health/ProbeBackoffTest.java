package dev.lasso.routing.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeBackoffTest {
  @ParameterizedTest
  @CsvSource({"0,0", "1,0", "2,2000", "3,4000", "4,8000", "5,16000", "6,30000", "60,30000"})
  void followsTheTableWithinATenth(int failures, long delayMs) {
    SplittableRandom random = new SplittableRandom(failures);
    for (int i = 0; i < 100; i++) {
      assertThat((double) ProbeBackoff.delayMs(failures, random))
          .isBetween((double) delayMs * 0.9, (double) delayMs * 1.1);
    }
  }
}
