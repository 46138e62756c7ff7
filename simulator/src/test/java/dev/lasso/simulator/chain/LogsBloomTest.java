package dev.lasso.simulator.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.Keccak256;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogsBloomTest {

  /** The yellow paper's worked example: the bits of one address. */
  @Test
  void setsTheThreeBitsOfAnAddress() {
    SimLog log = new SimLog("0x095e7baea6a6c7c4c2dfeb977efac326af552d87", List.of(), "0x");
    byte[] hash = Keccak256.hash(Hex.bytes(log.address()));
    byte[] bloom = LogsBloom.of(List.of(log)).toBytes();

    int set = 0;
    for (byte value : bloom) {
      set += Integer.bitCount(value & 0xff);
    }
    assertThat(set).isEqualTo(3);
    for (int i = 0; i < 6; i += 2) {
      int bit = (((hash[i] & 0xff) << 8) | (hash[i + 1] & 0xff)) % 2048;
      assertThat(bloom[255 - bit / 8] & (1 << (bit % 8))).isNotZero();
    }
  }

  @Test
  void roundTripsThroughItsText() {
    LogsBloom bloom = LogsBloom.of(List.of(new SimLog("0x" + "ab".repeat(20), List.of(), "0x")));

    assertThat(LogsBloom.parse(bloom.toString())).isEqualTo(bloom);
    assertThat(bloom.or(LogsBloom.EMPTY)).isEqualTo(bloom);
    assertThatThrownBy(() -> LogsBloom.parse("0x00")).hasMessageContaining("256 bytes");
  }
}
