package dev.lasso.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.schemas.TopicKeys;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

class PartitionShareTest {
  private static final int PARTITIONS = 6;

  private final PartitionShare<ChainId> share = new PartitionShare<>(TopicKeys.CHAIN, PARTITIONS);

  @Test
  void holdsExactlyTheChainsThatKafkaPutsIntoItsPartitions() {
    share.add(1);
    share.add(4);
    share.add(5);
    share.remove(5);

    for (long id = 1; id < 200; id++) {
      ChainId chain = ChainId.of(id);
      int partition =
          BuiltInPartitioner.partitionForKey(TopicKeys.CHAIN.toBytes(chain), PARTITIONS);
      assertThat(share.holds(chain)).as("%s", chain).isEqualTo(partition == 1 || partition == 4);
    }
  }

  @Test
  void aLoneProcessHoldsEverything() {
    IntStream.range(0, PARTITIONS).forEach(share::add);

    assertThat(IntStream.range(1, 200)).allMatch(id -> share.holds(ChainId.of(id)));
  }
}
