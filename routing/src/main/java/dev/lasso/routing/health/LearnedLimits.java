package dev.lasso.routing.health;

import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.AttemptOutcome.Failure;
import dev.lasso.routing.event.LearnedLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What attempts teach about what an endpoint can't do. Pure. A method that it says it does not
 * serve, and a block range that it names as its greatest, are remembered for a while; an answer
 * that shows otherwise ends the memory at once. A refusal for range that names no range teaches
 * nothing: it is often about the size of one query's result and says nothing about others.
 */
final class LearnedLimits {
  private static final int LONGEST_METHOD = 128;

  private LearnedLimits() {}

  static List<LearnedLimit> evolve(
      List<LearnedLimit> learned, Attempt attempt, long atMs, HealthPolicy policy) {
    return switch (attempt.outcome()) {
      case AttemptOutcome.Success _ -> disproved(learned, attempt);
      case Failure failure -> taught(learned, attempt, failure, atMs, policy);
      case AttemptOutcome.Cancelled _ -> learned;
    };
  }

  static List<LearnedLimit> unexpired(List<LearnedLimit> learned, long atMs) {
    for (LearnedLimit limit : learned) {
      if (limit.untilMs() <= atMs) {
        return learned.stream().filter(kept -> kept.untilMs() > atMs).toList();
      }
    }
    return learned;
  }

  private static List<LearnedLimit> disproved(List<LearnedLimit> learned, Attempt attempt) {
    for (LearnedLimit limit : learned) {
      if (disproves(attempt, limit)) {
        return learned.stream().filter(kept -> !disproves(attempt, kept)).toList();
      }
    }
    return learned;
  }

  private static boolean disproves(Attempt attempt, LearnedLimit limit) {
    return limit.method().equals(attempt.method())
        && (limit.methodUnsupported() || attempt.blockRange() > limit.maxBlockRange());
  }

  private static List<LearnedLimit> taught(
      List<LearnedLimit> learned,
      Attempt attempt,
      Failure failure,
      long atMs,
      HealthPolicy policy) {
    if (attempt.method().length() > LONGEST_METHOD) {
      return learned;
    }
    long untilMs = atMs + policy.learnedMs();
    ErrorClass errorClass = failure.errorClass();
    if (errorClass == ErrorClass.METHOD_NOT_FOUND || errorClass == ErrorClass.METHOD_UNSUPPORTED) {
      return with(learned, new LearnedLimit(attempt.method(), 0, untilMs), policy);
    }
    if (errorClass == ErrorClass.RANGE_TOO_LARGE) {
      long named = RangeHint.in(failure.message());
      if (named > 0 && named < attempt.blockRange()) {
        return with(learned, new LearnedLimit(attempt.method(), named, untilMs), policy);
      }
    }
    return learned;
  }

  /** One limit per method; of more than fit, those go that end first. */
  private static List<LearnedLimit> with(
      List<LearnedLimit> learned, LearnedLimit limit, HealthPolicy policy) {
    List<LearnedLimit> next = new ArrayList<>();
    for (LearnedLimit other : learned) {
      if (!other.method().equals(limit.method())) {
        next.add(other);
      }
    }
    next.add(limit);
    next.sort(Comparator.comparingLong(LearnedLimit::untilMs));
    int surplus = Math.max(next.size() - policy.maxLearned(), 0);
    return List.copyOf(next.subList(surplus, next.size()));
  }
}
