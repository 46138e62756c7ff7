package dev.lasso.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.TopicKeys;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

class ShareTest {
  private static final int PARTITIONS = 6;
  private static final List<EndpointKey> KEYS =
      IntStream.range(0, 200)
          .mapToObj(
              i ->
                  EndpointKey.of(
                      Region.of("eu"),
                      InstanceId.of("node-" + i),
                      i % 2 == 0 ? Transport.HTTP : Transport.WS))
          .toList();

  private final Share share = new Share(TopicKeys.ENDPOINT, PARTITIONS);

  @Test
  void holdsExactlyTheKeysThatKafkaPutsIntoItsPartitions() {
    share.add(1);
    share.add(4);

    for (EndpointKey key : KEYS) {
      int partition =
          BuiltInPartitioner.partitionForKey(TopicKeys.ENDPOINT.toBytes(key), PARTITIONS);
      assertThat(share.holds(key)).as("%s", key).isEqualTo(partition == 1 || partition == 4);
    }
  }

  @Test
  void everyKeyIsHeldBySomebody() {
    IntStream.range(0, PARTITIONS).forEach(share::add);

    assertThat(KEYS).allMatch(share::holds);
  }

  @Test
  void forgetsCircuitsWithTheirPartition() {
    IntStream.range(0, PARTITIONS).forEach(share::add);
    KEYS.forEach(key -> share.circuit(key, CircuitStatus.OPEN));
    assertThat(KEYS).noneMatch(share::closed);

    share.circuit(KEYS.getFirst(), CircuitStatus.CLOSED);
    assertThat(share.closed(KEYS.getFirst())).isTrue();
    IntStream.range(0, PARTITIONS).forEach(share::remove);

    assertThat(KEYS).allMatch(share::closed);
  }
}
