package dev.lasso.routing.errors;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a rule asks of a code or of an HTTP status. */
sealed interface NumberCondition {
  /** No condition. */
  record Any() implements NumberCondition {}

  /** There must be one. */
  record Present() implements NumberCondition {}

  /** There must be none. */
  record Absent() implements NumberCondition {}

  /** It must be in one of the ranges, both ends included. */
  record In(List<Range> ranges) implements NumberCondition {
    public In {
      ranges = List.copyOf(ranges);
    }
  }

  /** It must not meet the other condition; a missing number passes. */
  record Not(NumberCondition other) implements NumberCondition {}

  /** From {@code low} to {@code high}, both included. */
  record Range(int low, int high) {
    public Range {
      if (low > high) {
        throw new IllegalArgumentException("range " + low + " to " + high + " is empty");
      }
    }

    @Override
    public String toString() {
      return low == high ? Integer.toString(low) : low + " to " + high;
    }
  }

  static NumberCondition oneOf(Collection<Integer> numbers) {
    return numbers.isEmpty()
        ? new Any()
        : new In(numbers.stream().sorted().map(number -> new Range(number, number)).toList());
  }

  static NumberCondition between(int low, int high) {
    return new In(List.of(new Range(low, high)));
  }

  default boolean accepts(@Nullable Integer number) {
    return switch (this) {
      case Any _ -> true;
      case Present _ -> number != null;
      case Absent _ -> number == null;
      case Not not -> !not.other().accepts(number);
      case In in ->
          number != null
              && in.ranges().stream()
                  .anyMatch(range -> range.low() <= number && number <= range.high());
    };
  }

  /** How the condition reads in the table; empty for {@link Any}. */
  default String text() {
    return switch (this) {
      case Any _ -> "";
      case Present _ -> "any";
      case Absent _ -> "none";
      case Not not -> "not " + not.other().text();
      case In in -> in.ranges().stream().map(Range::toString).collect(Collectors.joining(", "));
    };
  }
}
