package dev.lasso.blocksync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.InstanceId;
import dev.lasso.routing.heads.BlockTimes;
import dev.lasso.routing.heads.ChainHeads;
import dev.lasso.routing.heads.Consensus;
import dev.lasso.routing.heads.InstanceHead;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HeadStateSerdeTest {
  static Stream<ChainHeads> states() {
    InstanceHead full = new InstanceHead(InstanceId.of("a"), 1, 2, 3, 4, 5, 6, true, 7, 8L, 9L);
    InstanceHead bare =
        new InstanceHead(InstanceId.of("b"), 1, 2, 3, 4, 5, -1, false, 0, null, null);
    return Stream.of(
        ChainHeads.NONE,
        new ChainHeads(List.of(full, bare), null, BlockTimes.of(new double[0])),
        new ChainHeads(
            List.of(bare),
            new Consensus(10, 11, 12, true, 1.5, 13, 14L, null),
            BlockTimes.of(new double[] {1_000, 0.25, 12_345.678})));
  }

  @ParameterizedTest
  @MethodSource("states")
  void comesBackAsItWasWritten(ChainHeads heads) {
    assertThat(HeadStateSerde.read(HeadStateSerde.write(heads))).isEqualTo(heads);
  }

  @Test
  void stateOfAnotherVersionIsNotReadAtAll() {
    byte[] bytes = HeadStateSerde.write(ChainHeads.NONE);
    bytes[0]++;

    assertThat(HeadStateSerde.read(bytes)).isNull();
  }
}
