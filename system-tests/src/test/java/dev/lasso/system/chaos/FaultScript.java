package dev.lasso.system.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What happens to a fleet and when: a pure function of seed and pace. Faults of one role never
 * overlap, and between two of them its members have time to recover, so that one of the role is
 * always there. Faults of different roles do overlap. All are over when the script's time is.
 *
 * @param faults in the order in which they begin
 */
record FaultScript(List<Fault> faults) {
  FaultScript {
    faults = List.copyOf(faults);
  }

  /** What is done to a process. */
  enum Act {
    /** SIGKILL; after a while another process takes the place. */
    KILL,
    /** SIGSTOP, and after a while SIGCONT. */
    STOP,
    /** SIGTERM; another process takes the place as soon as it has ended. */
    RESTART
  }

  /**
   * One fault.
   *
   * @param at when it begins, after the begin of the script
   * @param victim whom it befalls
   * @param act what is done
   * @param lasts how long until the victim is continued or started again
   */
  record Fault(Duration at, Member victim, Act act, Duration lasts) {
    Fault {
      if (at.isNegative() || lasts.isNegative()) {
        throw new IllegalArgumentException("a time is negative: " + at + ", " + lasts);
      }
    }

    /** When the victim is continued or started again, after the begin of the script. */
    Duration endsAt() {
      return at.plus(lasts);
    }

    @Override
    public String toString() {
      return "%s %s%s"
          .formatted(
              act.name().toLowerCase(Locale.ROOT),
              victim,
              lasts.isZero() ? "" : " for %.1f s".formatted(lasts.toMillis() / 1e3));
    }
  }

  /**
   * How fast faults follow each other.
   *
   * @param length of the script
   * @param minGap least time between the beginnings of two faults
   * @param maxGap most of it
   * @param maxDown longest time that a killed process is away
   * @param stopped how long a stopped process does nothing
   * @param recovery time that a role gets after one fault before the next
   */
  record Pace(
      Duration length,
      Duration minGap,
      Duration maxGap,
      Duration maxDown,
      Duration stopped,
      Duration recovery) {
    Pace {
      if (minGap.toMillis() < 1 || maxGap.compareTo(minGap) < 0) {
        throw new IllegalArgumentException("gaps of " + minGap + " to " + maxGap);
      }
    }

    /** That of a long run: half a minute of silence, ten seconds of absence. */
    static Pace full(Duration length) {
      return new Pace(
          length,
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(15));
    }
  }

  /** The script of a seed. */
  static FaultScript of(long seed, Pace pace) {
    RandomGenerator random = new SplittableRandom(seed);
    Map<Member.Role, Duration> freeAt = new EnumMap<>(Member.Role.class);
    List<Member> members = Member.all();
    List<Fault> faults = new ArrayList<>();
    Duration at = Duration.ZERO;
    while (true) {
      at = at.plus(between(random, pace.minGap(), pace.maxGap()));
      if (at.compareTo(pace.length()) >= 0) {
        return new FaultScript(faults);
      }
      Member victim = members.get(random.nextInt(members.size()));
      Act act = Act.values()[random.nextInt(Act.values().length)];
      Duration lasts =
          switch (act) {
            case KILL -> between(random, Duration.ZERO, pace.maxDown());
            case STOP -> pace.stopped();
            case RESTART -> Duration.ZERO;
          };
      Fault fault = new Fault(at, victim, act, lasts);
      boolean free = freeAt.getOrDefault(victim.role(), Duration.ZERO).compareTo(at) <= 0;
      if (free && fault.endsAt().compareTo(pace.length()) <= 0) {
        faults.add(fault);
        freeAt.put(victim.role(), fault.endsAt().plus(pace.recovery()));
      }
    }
  }

  private static Duration between(RandomGenerator random, Duration least, Duration most) {
    return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis() + 1));
  }
}
