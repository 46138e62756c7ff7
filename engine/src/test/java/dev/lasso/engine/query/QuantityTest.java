package dev.lasso.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.rpc.JsonSlice;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({"0x0,0", "0x1b4,436", "0x01,1", "0x00000000000000000010,16", "0xABC,2748"})
  void readsHexLeniently(String hex, long number) {
    assertThat(Quantity.parse(JsonSlice.of('"' + hex + '"'))).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "12",
        "\"0x\"",
        "\"12\"",
        "\"0xzz\"",
        "\"\"",
        "\"",
        "{}",
        "\"0xfffffffffffffffff\""
      })
  void saysNothingOfOtherValues(String json) {
    assertThat(Quantity.parse(JsonSlice.of(json))).isNull();
  }
}
