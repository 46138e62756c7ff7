package dev.lasso.routing.circuit;

import dev.lasso.routing.circuit.CircuitEvent.AttemptFailed;
import dev.lasso.routing.circuit.CircuitEvent.AttemptSucceeded;
import dev.lasso.routing.circuit.CircuitEvent.Cause;
import dev.lasso.routing.circuit.CircuitEvent.CircuitClosed;
import dev.lasso.routing.circuit.CircuitEvent.FailureReported;
import dev.lasso.routing.circuit.CircuitEvent.HalfOpened;
import dev.lasso.routing.circuit.CircuitEvent.Opened;
import dev.lasso.routing.circuit.CircuitEvent.OutcomesCounted;
import dev.lasso.routing.circuit.CircuitEvent.ProbeFailed;
import dev.lasso.routing.circuit.CircuitEvent.ProbesRecovered;
import dev.lasso.routing.circuit.CircuitEvent.RowEnded;
import dev.lasso.routing.circuit.CircuitEvent.TrialSucceeded;
import dev.lasso.routing.circuit.CircuitInput.Attempt;
import dev.lasso.routing.circuit.CircuitInput.Counted;
import dev.lasso.routing.circuit.CircuitInput.Probe;
import dev.lasso.routing.circuit.CircuitInput.Reported;
import dev.lasso.routing.circuit.CircuitInput.Time;
import dev.lasso.routing.circuit.CircuitInput.Trial;
import dev.lasso.routing.circuit.CircuitState.Closed;
import dev.lasso.routing.circuit.CircuitState.HalfOpen;
import dev.lasso.routing.circuit.CircuitState.Open;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The rules of a circuit (routing page, "Circuit"). The same ones guard a process by its own
 * outcomes and the fleet by everyone's. Pure: {@link #decide} says what an input means, {@link
 * #evolve} alone changes the state. Times are milliseconds since the epoch.
 *
 * <p>Two rules open it. <em>In a row</em>: failures without a success between them, more of them
 * when the endpoint is busy. <em>Rate</em>: the share of failures in the window, once the endpoint
 * is busy. While it is open only time and probes matter; while it is half-open only trials and
 * probes do, so answers to requests sent long before decide nothing.
 */
public final class Circuit {
  private Circuit() {}

  /**
   * What an input means for a circuit.
   *
   * @param atMs when the input happened
   * @param random spreads open periods, so that circuits opened together are not tried together
   * @return what happened, in order; empty when nothing did
   */
  public static List<CircuitEvent> decide(
      CircuitState state,
      CircuitInput input,
      long atMs,
      CircuitPolicy policy,
      RandomGenerator random) {
    return switch (state) {
      case Closed closed -> whileClosed(closed, input, atMs, policy, random);
      case Open open when atMs >= open.untilMs() -> {
        HalfOpened halfOpened = new HalfOpened(atMs, false);
        yield prepend(
            halfOpened, whileHalfOpen(halfOpen(open, halfOpened), input, atMs, policy, random));
      }
      case Open open -> whileOpen(open, input, atMs, policy);
      case HalfOpen halfOpen -> whileHalfOpen(halfOpen, input, atMs, policy, random);
    };
  }

  /** The state after some events. */
  public static CircuitState evolve(
      CircuitState state, List<? extends CircuitEvent> events, CircuitPolicy policy) {
    CircuitState next = state;
    for (CircuitEvent event : events) {
      next = evolve(next, event, policy);
    }
    return next;
  }

  /**
   * The state after an event. An event that can't happen in the state, as when a log is read from
   * its middle, leaves it as it is.
   */
  public static CircuitState evolve(CircuitState state, CircuitEvent event, CircuitPolicy policy) {
    return switch (event) {
      case Opened opened ->
          new Open(opened.atMs(), opened.untilMs(), opened.reopenings(), opened.openings());
      case HalfOpened halfOpened -> state instanceof Open open ? halfOpen(open, halfOpened) : state;
      case TrialSucceeded _ ->
          state instanceof HalfOpen(long since, int successes, int reopenings, int openings)
              ? new HalfOpen(since, successes + 1, reopenings, openings)
              : state;
      case CircuitClosed closed -> {
        int openings = state instanceof HalfOpen halfOpen ? halfOpen.openings() : 0;
        yield new Closed(closed.atMs(), OutcomeWindow.empty(policy.windowMs()), 0, 0, 0, openings);
      }
      case AttemptSucceeded _,
          AttemptFailed _,
          FailureReported _,
          RowEnded _,
          OutcomesCounted _,
          ProbeFailed _,
          ProbesRecovered _ ->
          state instanceof Closed closed ? counted(closed, event) : state;
    };
  }

  private static List<CircuitEvent> whileClosed(
      Closed closed, CircuitInput input, long atMs, CircuitPolicy policy, RandomGenerator random) {
    return switch (input) {
      case Attempt.SUCCESS, Trial.SUCCESS -> List.of(new AttemptSucceeded(atMs));
      case Attempt.FAILURE, Trial.FAILURE ->
          judged(closed, new AttemptFailed(atMs), policy, random);
      case Reported(boolean failed, long successesBefore) when failed ->
          judged(closed, new FailureReported(atMs, successesBefore > 0), policy, random);
      case Reported _ -> closed.failuresInRow() == 0 ? List.of() : List.of(new RowEnded(atMs));
      case Counted counted -> whenCounted(closed, counted, policy, random);
      case Probe.SUCCESS ->
          closed.probeFailuresInRow() == 0 ? List.of() : List.of(new ProbesRecovered(atMs));
      case Probe.FAILURE -> judged(closed, new ProbeFailed(atMs), policy, random);
      case Attempt.NEUTRAL, Trial.NEUTRAL, Probe.NEUTRAL, Time.PASSED -> List.of();
    };
  }

  private static List<CircuitEvent> whileOpen(
      Open open, CircuitInput input, long atMs, CircuitPolicy policy) {
    long probesMayEndItMs = open.sinceMs() + policy.probeWaitMs(open.reopenings(), open.openings());
    return input == Probe.SUCCESS && atMs >= probesMayEndItMs
        ? List.of(new HalfOpened(atMs, true), new TrialSucceeded(atMs))
        : List.of();
  }

  private static List<CircuitEvent> whileHalfOpen(
      HalfOpen halfOpen,
      CircuitInput input,
      long atMs,
      CircuitPolicy policy,
      RandomGenerator random) {
    return switch (input) {
      case Trial.SUCCESS, Probe.SUCCESS -> {
        TrialSucceeded succeeded = new TrialSucceeded(atMs);
        yield halfOpen.successes() + 1 >= policy.successesToClose()
            ? List.of(succeeded, new CircuitClosed(atMs))
            : List.of(succeeded);
      }
      case Trial.FAILURE, Probe.FAILURE -> {
        int reopenings = halfOpen.reopenings() + 1;
        yield List.of(
            opened(atMs, reopenings, halfOpen.openings(), Cause.TRIAL_FAILED, policy, random));
      }
      case Trial.NEUTRAL, Probe.NEUTRAL -> List.of();
      case Attempt _, Reported _, Counted _, Time _ -> List.of();
    };
  }

  /**
   * Counts enter the window, unless they tell of the time before the circuit closed; the row ends
   * when its last failure came before the successes.
   */
  private static List<CircuitEvent> whenCounted(
      Closed closed, Counted counted, CircuitPolicy policy, RandomGenerator random) {
    if (counted.fromMs() < closed.sinceMs()) {
      return List.of();
    }
    long lastMomentMs = counted.toMs() - 1;
    OutcomesCounted entered =
        new OutcomesCounted(lastMomentMs, counted.successes(), counted.failures());
    List<CircuitEvent> events = judged(closed, entered, policy, random);
    boolean successesCameAfter =
        counted.failures() == 0
            ? counted.toMs() > closed.lastFailureAtMs()
            : counted.fromMs() > closed.lastFailureAtMs();
    return closed.failuresInRow() > 0 && counted.successes() > 0 && successesCameAfter
        ? prepend(new RowEnded(lastMomentMs), events)
        : events;
  }

  /** The event, and the opening it causes, if it does. */
  private static List<CircuitEvent> judged(
      Closed closed, CircuitEvent event, CircuitPolicy policy, RandomGenerator random) {
    Closed next = counted(closed, event);
    long atMs = event.atMs();
    int failures = next.window().failures(atMs);
    int attempts = failures + next.window().successes(atMs);
    boolean busy = attempts >= policy.busyAttempts();
    int rowToOpen = busy ? policy.failuresToOpenBusy() : policy.failuresToOpen();
    boolean rowGrew = event instanceof AttemptFailed || event instanceof FailureReported;
    boolean rateGrew = failures > closed.window().failures(atMs);
    Cause cause;
    if (rowGrew && next.failuresInRow() >= rowToOpen) {
      cause = Cause.FAILURES_IN_ROW;
    } else if (next.probeFailuresInRow() >= policy.failuresToOpen()) {
      cause = Cause.PROBE_FAILURES_IN_ROW;
    } else if (rateGrew && busy && failures >= policy.failureRateToOpen() * attempts) {
      cause = Cause.FAILURE_RATE;
    } else {
      return List.of(event);
    }
    boolean relapse = closed.openings() > 0 && atMs - closed.sinceMs() < policy.relapseMs();
    int openings = relapse ? closed.openings() + 1 : 1;
    return List.of(event, opened(atMs, 0, openings, cause, policy, random));
  }

  private static Opened opened(
      long atMs,
      int reopenings,
      int openings,
      Cause cause,
      CircuitPolicy policy,
      RandomGenerator random) {
    double spread = 1 + policy.jitter() * (2 * random.nextDouble() - 1);
    long periodMs = Math.max(Math.round(policy.openMs(reopenings) * spread), 1);
    return new Opened(atMs, atMs + periodMs, reopenings, openings, cause);
  }

  private static HalfOpen halfOpen(Open open, HalfOpened halfOpened) {
    return new HalfOpen(halfOpened.atMs(), 0, open.reopenings(), open.openings());
  }

  /** A closed circuit with one more thing counted. */
  private static Closed counted(Closed closed, CircuitEvent event) {
    OutcomeWindow window = closed.window();
    int inRow = closed.failuresInRow();
    int probesInRow = closed.probeFailuresInRow();
    long lastFailureAtMs = closed.lastFailureAtMs();
    switch (event) {
      case AttemptSucceeded succeeded -> {
        window = window.plus(succeeded.atMs(), 1, 0);
        inRow = 0;
        lastFailureAtMs = 0;
      }
      case AttemptFailed failed -> {
        window = window.plus(failed.atMs(), 0, 1);
        inRow++;
        lastFailureAtMs = Math.max(lastFailureAtMs, failed.atMs());
      }
      case FailureReported reported -> {
        inRow = reported.firstInRow() ? 1 : inRow + 1;
        lastFailureAtMs = Math.max(lastFailureAtMs, reported.atMs());
      }
      case RowEnded _ -> {
        inRow = 0;
        lastFailureAtMs = 0;
      }
      case OutcomesCounted counts ->
          window = window.plus(counts.atMs(), counts.successes(), counts.failures());
      case ProbeFailed _ -> probesInRow++;
      case ProbesRecovered _ -> probesInRow = 0;
      case Opened _, HalfOpened _, TrialSucceeded _, CircuitClosed _ -> {}
    }
    return new Closed(
        closed.sinceMs(), window, inRow, probesInRow, lastFailureAtMs, closed.openings());
  }

  private static List<CircuitEvent> prepend(CircuitEvent first, List<CircuitEvent> rest) {
    return switch (rest.size()) {
      case 0 -> List.of(first);
      case 1 -> List.of(first, rest.get(0));
      default -> List.of(first, rest.get(0), rest.get(1));
    };
  }
}
