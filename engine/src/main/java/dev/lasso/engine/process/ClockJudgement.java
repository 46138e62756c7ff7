package dev.lasso.engine.process;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the clocks at hand: the machine's, the process's own and those of the other
 * processes of the fleet. The process's goes on as it does, unless others say that it is wrong:
 * then the machine's counts if they agree with it, else theirs. Where there are no others the
 * machine's counts in the end: it has slept, or was set on purpose. Milliseconds; ahead of the
 * process's own time, below 0 when behind.
 *
 * @param correctionMs what the process's own time is to be moved by
 * @param complaint what an operator should know, or null when all is well
 */
record ClockJudgement(long correctionMs, @Nullable String complaint) {
  /** A heartbeat may be heard so late; then it looks behind, and says nothing of its clock. */
  private static final long LATE_MS = 60_000;

  /**
   * Judges.
   *
   * @param machineMs how far the machine's clock is ahead
   * @param peersMs how far that of each other process is ahead, by when its heartbeat was heard
   * @param toleranceMs differences up to this are none
   */
  static ClockJudgement of(long machineMs, List<Long> peersMs, long toleranceMs) {
    if (peersMs.isEmpty() && Math.abs(machineMs) > toleranceMs) {
      return new ClockJudgement(
          machineMs,
          "this machine's clock is "
              + words(machineMs)
              + " its own time since the start; the process follows it once it has stayed so for a"
              + " minute");
    }
    List<Long> clocksMs =
        peersMs.stream()
            .map(peerMs -> peerMs < 0 && peerMs >= -LATE_MS ? Long.valueOf(0) : peerMs)
            .toList();
    Long fleetMs = agreed(machineMs, clocksMs, toleranceMs);
    long correctionMs = correction(machineMs, fleetMs, toleranceMs);
    return new ClockJudgement(
        correctionMs, complaint(machineMs, fleetMs, peersMs.size(), correctionMs, toleranceMs));
  }

  /** Whether following the machine's clock is all there is to it: it drifts. */
  boolean isDrift(long toleranceMs) {
    return Math.abs(correctionMs) <= toleranceMs;
  }

  private static long correction(long machineMs, @Nullable Long fleetMs, long toleranceMs) {
    if (fleetMs == null) {
      return Math.abs(machineMs) <= toleranceMs ? machineMs : 0;
    }
    if (Math.abs(fleetMs - machineMs) <= toleranceMs) {
      return machineMs;
    }
    return Math.abs(fleetMs) <= toleranceMs ? 0 : fleetMs;
  }

  /** What most others say, and never one alone against this process; null when nobody knows. */
  private static @Nullable Long agreed(long machineMs, List<Long> peersMs, long toleranceMs) {
    if (peersMs.isEmpty()) {
      return null;
    }
    if (peersMs.size() == 1) {
      long peerMs = peersMs.getFirst();
      boolean seconds =
          Math.abs(peerMs) <= toleranceMs || Math.abs(peerMs - machineMs) <= toleranceMs;
      return seconds ? Long.valueOf(peerMs) : null;
    }
    List<Long> ordered = peersMs.stream().sorted().toList();
    long medianMs = ordered.get(ordered.size() / 2);
    long agreeing =
        ordered.stream().filter(peerMs -> Math.abs(peerMs - medianMs) <= toleranceMs).count();
    return agreeing * 2 > ordered.size() ? Long.valueOf(medianMs) : null;
  }

  private static @Nullable String complaint(
      long machineMs, @Nullable Long fleetMs, int peers, long correctionMs, long toleranceMs) {
    long machineOffMs = machineMs - correctionMs;
    if (Math.abs(machineOffMs) > toleranceMs) {
      String against =
          fleetMs == null ? "its own time since the start" : "the time that the fleet keeps";
      return "this machine's clock is "
          + words(machineOffMs)
          + " "
          + against
          + "; the process does not follow it";
    }
    return fleetMs == null && peers > 0 ? "the clocks of the fleet's processes disagree" : null;
  }

  private static String words(long ms) {
    Duration off = Duration.ofSeconds(Math.round((double) Math.abs(ms) / 1_000));
    String length =
        off.toHours() > 0
            ? off.toHours() + "h" + off.toMinutesPart() + "m"
            : off.toMinutes() > 0
                ? off.toMinutes() + "m" + off.toSecondsPart() + "s"
                : off.toSeconds() + "s";
    return length + (ms > 0 ? " ahead of" : " behind");
  }
}
