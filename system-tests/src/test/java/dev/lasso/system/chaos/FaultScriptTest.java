package dev.lasso.system.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.system.chaos.FaultScript.Act;
import dev.lasso.system.chaos.FaultScript.Fault;
import dev.lasso.system.chaos.FaultScript.Pace;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultScriptTest {
  private static final Pace PACE = Pace.full(Duration.ofMinutes(10));

  @Test
  void isTheSameForTheSameSeedAndAnotherForAnother() {
    assertThat(FaultScript.of(7, PACE)).isEqualTo(FaultScript.of(7, PACE));
    assertThat(FaultScript.of(8, PACE)).isNotEqualTo(FaultScript.of(7, PACE));
  }

  @Test
  void faultsOfOneRoleNeverOverlapAndLeaveItTimeToRecover() {
    for (long seed = 0; seed < 200; seed++) {
      for (Member.Role role : Member.Role.values()) {
        List<Fault> faults =
            FaultScript.of(seed, PACE).faults().stream()
                .filter(fault -> fault.victim().role() == role)
                .toList();
        for (int i = 1; i < faults.size(); i++) {
          assertThat(faults.get(i).at())
              .as("seed %d, %s after %s", seed, faults.get(i), faults.get(i - 1))
              .isGreaterThanOrEqualTo(faults.get(i - 1).endsAt().plus(PACE.recovery()));
        }
      }
    }
  }

  @Test
  void everyFaultBeginsAfterTheOneBeforeAndEndsInTime() {
    for (long seed = 0; seed < 200; seed++) {
      Duration last = Duration.ZERO;
      for (Fault fault : FaultScript.of(seed, PACE).faults()) {
        assertThat(fault.at()).isGreaterThan(last);
        assertThat(fault.endsAt()).isLessThanOrEqualTo(PACE.length());
        last = fault.at();
      }
    }
  }

  @Test
  void tenMinutesOfAFewSeedsDoEverythingToEveryMember() {
    Set<List<Object>> done = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      for (Fault fault : FaultScript.of(seed, PACE).faults()) {
        done.add(List.of(fault.victim(), fault.act()));
      }
    }
    for (Member member : Member.all()) {
      for (Act act : EnumSet.allOf(Act.class)) {
        assertThat(done).contains(List.of(member, act));
      }
    }
  }

  @Test
  void stoppedProcessesStandStillForAsLongAsThePaceSays() {
    for (Fault fault : FaultScript.of(3, PACE).faults()) {
      switch (fault.act()) {
        case STOP -> assertThat(fault.lasts()).isEqualTo(PACE.stopped());
        case KILL -> assertThat(fault.lasts()).isLessThanOrEqualTo(PACE.maxDown());
        case RESTART -> assertThat(fault.lasts()).isZero();
      }
    }
  }
}
