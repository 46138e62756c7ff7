package dev.lasso.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClockJudgementTest {
  private static final long HOUR_MS = 3_600_000;
  private static final long TOLERANCE_MS = 2_000;

  @Test
  void driftIsFollowedWithoutAWord() {
    assertThat(judged(150)).isEqualTo(new ClockJudgement(150, null));
    assertThat(judged(-150, 20L, -40L)).isEqualTo(new ClockJudgement(-150, null));
    assertThat(judged(150, 20L).isDrift(TOLERANCE_MS)).isTrue();
  }

  @Test
  void aMachinesClockThatIsSetAwayFromTheFleetIsNotFollowedAndIsTold() {
    assertThat(judged(HOUR_MS, 3L, -8L, 12L))
        .isEqualTo(
            new ClockJudgement(
                0,
                "this machine's clock is 1h0m ahead of the time that the fleet keeps; the process"
                    + " does not follow it"));
    assertThat(judged(-HOUR_MS, 3L).complaint()).startsWith("this machine's clock is 1h0m behind");
    assertThat(judged(-HOUR_MS, 3L).correctionMs()).isZero();
    assertThat(judged(HOUR_MS - 1, 3L).complaint()).contains("1h0m ahead");
  }

  @Test
  void aloneAProcessTellsAndFollowsTheMachineInTheEnd() {
    ClockJudgement judged = judged(-90_000);
    assertThat(judged)
        .isEqualTo(
            new ClockJudgement(
                -90_000,
                "this machine's clock is 1m30s behind its own time since the start; the process"
                    + " follows it once it has stayed so for a minute"));
    assertThat(judged.isDrift(TOLERANCE_MS)).isFalse();
  }

  @Test
  void aMachinesClockThatWasPutRightIsFollowed() {
    ClockJudgement judged = judged(HOUR_MS, HOUR_MS - 5, HOUR_MS + 9);
    assertThat(judged).isEqualTo(new ClockJudgement(HOUR_MS, null));
    assertThat(judged.isDrift(TOLERANCE_MS)).isFalse();
    assertThat(judged(-HOUR_MS, -HOUR_MS - 5).correctionMs()).isEqualTo(-HOUR_MS);
  }

  @Test
  void aProcessThatStartedWrongTakesTheFleetsTime() {
    ClockJudgement judged = judged(0, -HOUR_MS, -HOUR_MS + 4, -HOUR_MS - 2);
    assertThat(judged.correctionMs()).isCloseTo(-HOUR_MS, org.assertj.core.data.Offset.offset(10L));
    assertThat(judged.complaint()).startsWith("this machine's clock is 1h0m ahead of");
  }

  @Test
  void oneOtherAloneNeverOverrulesAProcess() {
    assertThat(judged(0, HOUR_MS))
        .isEqualTo(new ClockJudgement(0, "the clocks of the fleet's processes disagree"));
  }

  @Test
  void heartbeatsThatAreHeardLateMoveNobody() {
    assertThat(judged(0, -3_000L, -45_000L, -4_000L)).isEqualTo(new ClockJudgement(0, null));
    assertThat(judged(0, -30_000L)).isEqualTo(new ClockJudgement(0, null));
    assertThat(judged(0, 3_000L, 3_100L).correctionMs()).isBetween(3_000L, 3_100L);
  }

  @Test
  void oneWrongAmongManyIsNoReasonToMove() {
    assertThat(judged(1, -2L, HOUR_MS, 4L)).isEqualTo(new ClockJudgement(1, null));
    assertThat(judged(0, HOUR_MS, -HOUR_MS))
        .isEqualTo(new ClockJudgement(0, "the clocks of the fleet's processes disagree"));
  }

  private static ClockJudgement judged(long machineMs, Long... peersMs) {
    return ClockJudgement.of(machineMs, List.of(peersMs), TOLERANCE_MS);
  }
}
