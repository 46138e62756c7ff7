package dev.lasso.system.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A place in the fleet, such as {@code gateway-2}, that one process after the other takes.
 *
 * @param role what the process is for
 * @param number from 1 to as many as the role has
 */
record Member(Role role, int number) {
  /** What a process is for. */
  enum Role {
    BROKER(1),
    GATEWAY(2),
    HEALTH(2),
    BLOCKSYNC(2),
    BENCHMARK(2),
    SUBSCRIPTION(2);

    private final int members;

    Role(int members) {
      this.members = members;
    }

    /** As the {@code lasso} command spells it. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Member {
    if (number < 1 || number > role.members) {
      throw new IllegalArgumentException(role + " has no member " + number);
    }
  }

  /** All of a fleet, the broker first. */
  static List<Member> all() {
    List<Member> all = new ArrayList<>();
    for (Role role : Role.values()) {
      all.addAll(of(role));
    }
    return all;
  }

  /** All of a role. */
  static List<Member> of(Role role) {
    List<Member> members = new ArrayList<>();
    for (int number = 1; number <= role.members; number++) {
      members.add(new Member(role, number));
    }
    return members;
  }

  @Override
  public String toString() {
    return role.members == 1 ? role.word() : role.word() + "-" + number;
  }
}
