package dev.lasso.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.simulator.time.ManualSimClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultBoardTest {

  private final ManualSimClock clock = new ManualSimClock(0);
  private final FaultBoard board = new FaultBoard(1, clock);

  private List<Fault.OnRequest> strike(String method) {
    return board.strike(method, Transport.HTTP);
  }

  @Test
  void strikesOnlyMatchingCalls() {
    board.pin("hang methods=eth_get*");
    board.pin("reset on=ws");

    assertThat(strike("eth_getLogs")).containsExactly(new Fault.Hang());
    assertThat(strike("eth_call")).isEmpty();
    assertThat(board.strike("eth_call", Transport.WS)).containsExactly(new Fault.Reset());
  }

  @Test
  void endsAfterItsCount() {
    board.pin("hang count=2");

    assertThat(strike("a")).hasSize(1);
    assertThat(strike("a")).hasSize(1);
    assertThat(strike("a")).isEmpty();
    assertThat(board.inForce()).isEmpty();
    assertThat(board.strikesByWord()).containsEntry("hang", 2L);
  }

  @Test
  void endsAfterItsTime() {
    List<Integer> inForceAtChange = new ArrayList<>();
    board.listen(() -> inForceAtChange.add(board.inForce().size()));
    board.pin("refuse for=10s");

    clock.advance(Duration.ofMillis(9_999));
    assertThat(board.standing(Fault.Refuse.class)).hasSize(1);
    clock.advance(Duration.ofMillis(1));

    assertThat(board.standing(Fault.Refuse.class)).isEmpty();
    assertThat(inForceAtChange).containsExactly(1, 0);
  }

  @Test
  void clearsByIdAndAll() {
    long hang = board.pin("hang");
    board.pin("reset");

    assertThat(board.clear(hang)).isTrue();
    assertThat(board.clear(hang)).isFalse();
    assertThat(strike("a")).containsExactly(new Fault.Reset());
    board.clear();
    assertThat(strike("a")).isEmpty();
  }

  @Test
  void chanceFollowsFromTheSeed() {
    List<List<Integer>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      FaultBoard seeded = new FaultBoard(99, clock);
      seeded.pin("hang p=0.3");
      List<Integer> struck = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        struck.add(seeded.strike("a", Transport.HTTP).size());
      }
      runs.add(struck);
    }

    assertThat(runs.get(0)).isEqualTo(runs.get(1));
    assertThat(runs.get(0).stream().mapToInt(Integer::intValue).sum()).isBetween(250, 350);
  }

  @Test
  void onlySomeFaultsStrikeAnUpgrade() {
    board.pin("delay:5ms");
    board.pin("http:503 count=1");

    assertThat(board.strike(FaultBoard.UPGRADE, Transport.WS))
        .singleElement()
        .isInstanceOf(Fault.Http.class);
  }
}
