package dev.lasso.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.runtime.kafka.TopicProbe.Shape;
import dev.lasso.testkit.ManualClock;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class TailPositionsTest {
  private static final Uuid FIRST_ID = new Uuid(1, 1);
  private static final Uuid SECOND_ID = new Uuid(2, 2);
  private static final TopicPartition P0 = new TopicPartition("heads", 0);
  private static final TopicPartition P1 = new TopicPartition("heads", 1);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");

  private TailPositions positions(TailStart start) {
    TailPositions positions = new TailPositions(start, new ManualClock());
    positions.adopt(Map.of("heads", new Shape(FIRST_ID, 1)));
    return positions;
  }

  private void log(TopicPartition partition, long first, long end) {
    consumer.updateBeginningOffsets(Map.of(partition, first));
    consumer.updateEndOffsets(Map.of(partition, end));
  }

  private void seek(TailPositions positions) {
    consumer.assign(positions.partitions());
    positions.seek(consumer);
  }

  @Test
  void beginsWhereItWasTold() {
    log(P0, 3, 10);
    TailPositions fromBeginning = positions(new TailStart.Beginning());
    TailPositions fromEnd = positions(new TailStart.End());

    seek(fromBeginning);
    assertThat(consumer.position(P0)).isEqualTo(3);
    assertThat(fromBeginning.behind(Map.of(P0, 10L))).isEqualTo(7);

    seek(fromEnd);
    assertThat(consumer.position(P0)).isEqualTo(10);
  }

  @Test
  void goesOnWhereItWas() {
    log(P0, 0, 10);
    TailPositions positions = positions(new TailStart.End());
    positions.set(P0, 4);

    seek(positions);

    assertThat(consumer.position(P0)).isEqualTo(4);
  }

  @Test
  void whatExpiredIsPassedOver() {
    log(P0, 8, 10);
    TailPositions positions = positions(new TailStart.Beginning());
    positions.set(P0, 4);

    seek(positions);

    assertThat(consumer.position(P0)).isEqualTo(8);
  }

  @Test
  void anotherTopicOfTheSameNameIsReadFromItsBeginning() {
    log(P0, 0, 10);
    TailPositions positions = positions(new TailStart.End());
    positions.set(P0, 4);

    assertThat(positions.adopt(Map.of("heads", new Shape(SECOND_ID, 1)))).containsExactly("heads");

    seek(positions);
    assertThat(consumer.position(P0)).isZero();
  }

  @Test
  void aPartitionThatWasAddedIsReadFromItsBeginning() {
    log(P0, 0, 10);
    log(P1, 0, 5);
    TailPositions positions = positions(new TailStart.End());
    positions.set(P0, 4);

    assertThat(positions.adopt(Map.of("heads", new Shape(FIRST_ID, 2)))).isEmpty();

    seek(positions);
    assertThat(consumer.position(P0)).isEqualTo(4);
    assertThat(consumer.position(P1)).isZero();
  }
}
