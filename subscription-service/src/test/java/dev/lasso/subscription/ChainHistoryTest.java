package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.ChainEvent.StreamState;
import org.junit.jupiter.api.Test;

class ChainHistoryTest {
  private static final ChainId CHAIN = ChainId.of(1);

  private final ChainHistory none = ChainHistory.none(16);

  private static ChainEvent added(long sequence, long number) {
    return new ChainEvent.BlockAdded(
        CHAIN,
        sequence,
        0,
        number,
        TestChain.hash(number),
        TestChain.hash(number - 1),
        Bytes.EMPTY,
        null,
        "node");
  }

  private static ChainEvent state(long sequence, long atMs, StreamState state) {
    return new ChainEvent.StreamStateChanged(CHAIN, sequence, atMs, 100, state, "");
  }

  @Test
  void aChainThatNothingWasWrittenOfIsActive() {
    assertThat(none.state()).isEqualTo(StreamState.ACTIVE);
    assertThat(none.leftActiveMs()).isZero();
    assertThat(none.sequence()).isZero();
  }

  @Test
  void theNextOwnerKnowsTheStateThatTheLastOneLeft() {
    ChainHistory history =
        none.with(added(1, 7))
            .with(state(2, 1_000, StreamState.BACKFILLING))
            .with(state(3, 2_000, StreamState.DEGRADED))
            .with(added(4, 8));
    assertThat(history.state()).isEqualTo(StreamState.DEGRADED);
    assertThat(history.leftActiveMs()).isEqualTo(1_000);
    assertThat(history.sequence()).isEqualTo(4);
    assertThat(history.tree().head()).isNotNull();
  }

  @Test
  void aStreamThatIsActiveAgainHasNothingToComeBackFrom() {
    ChainHistory history =
        none.with(state(1, 1_000, StreamState.DEGRADED)).with(state(2, 5_000, StreamState.ACTIVE));
    assertThat(history.state()).isEqualTo(StreamState.ACTIVE);
    assertThat(history.leftActiveMs()).isZero();
  }
}
