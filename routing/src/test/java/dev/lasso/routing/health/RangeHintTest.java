package dev.lasso.routing.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeHintTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "block range limited to 1,000 | 1000",
        "You can make eth_getLogs requests with up to a 2K block range | 2000",
        "exceed maximum block range: 5000 | 5000",
        "max range: 500 | 500",
        "eth_getLogs is limited to 1024 block range | 1024",
        "eth_getLogs is limited to a 10,000 range | 10000",
        "query exceeds max block range 100000 | 100000",
        "ranges over 10000 blocks are not supported on freetier | 10000",
        "block range is too wide | 0",
        "query returned more than 10000 results | 0",
        "range too large, query returned more than 20000 results | 0",
        "Log response size exceeded 150MB | 0",
        "Try with this block range [0x1b4, 0x2ff] | 0",
        "'' | 0",
      })
  void readsTheRangeThatARefusalNames(String message, long blocks) {
    assertThat(RangeHint.in(message)).isEqualTo(blocks);
  }
}
