package dev.lasso.routing.errors;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a row asks of a code or of an HTTP status. */
sealed interface NumberCondition {

  /** No condition. */
  record Any() implements NumberCondition {}

  /** There must be one. */
  record Present() implements NumberCondition {}

  /** There must be none. */
  record Absent() implements NumberCondition {}

  /** It must be in one of the ranges. */
  record In(List<Range> ranges) implements NumberCondition {
    public In {
      ranges = List.copyOf(ranges);
    }
  }

  /** It must not be in any of the ranges; a missing number passes. */
  record NotIn(List<Range> ranges) implements NumberCondition {
    public NotIn {
      ranges = List.copyOf(ranges);
    }
  }

  /** From {@code low} to {@code high}, both included. */
  record Range(int low, int high) {
    public Range {
      if (low > high) {
        throw new IllegalArgumentException("range " + low + ".." + high + " is empty");
      }
    }

    static Range parse(String text) {
      int dots = text.indexOf("..");
      return dots < 0
          ? new Range(Integer.parseInt(text), Integer.parseInt(text))
          : new Range(
              Integer.parseInt(text.substring(0, dots)),
              Integer.parseInt(text.substring(dots + 2)));
    }

    boolean contains(int number) {
      return low <= number && number <= high;
    }

    @Override
    public String toString() {
      return low == high ? Integer.toString(low) : low + ".." + high;
    }
  }

  /**
   * Reads a condition of the table: {@code any}, {@code none}, {@code 3,4,800..899}, {@code
   * !500..599}.
   *
   * @throws IllegalArgumentException when the text is none of these
   */
  static NumberCondition parse(String text) {
    return switch (text) {
      case "any" -> new Present();
      case "none" -> new Absent();
      default -> text.startsWith("!") ? new NotIn(ranges(text.substring(1))) : new In(ranges(text));
    };
  }

  /** One of the numbers; any or none when there are no numbers. */
  static NumberCondition oneOf(Set<Integer> numbers) {
    return numbers.isEmpty()
        ? new Any()
        : new In(numbers.stream().map(number -> new Range(number, number)).toList());
  }

  private static List<Range> ranges(String text) {
    List<Range> ranges = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      ranges.add(Range.parse(part));
    }
    return ranges;
  }

  default boolean accepts(@Nullable Integer number) {
    return switch (this) {
      case Any _ -> true;
      case Present _ -> number != null;
      case Absent _ -> number == null;
      case In in -> number != null && contains(in.ranges(), number);
      case NotIn notIn -> number == null || !contains(notIn.ranges(), number);
    };
  }

  private static boolean contains(List<Range> ranges, int number) {
    for (Range range : ranges) {
      if (range.contains(number)) {
        return true;
      }
    }
    return false;
  }

  /** How the condition reads in the table; empty for {@link Any}. */
  default String text() {
    return switch (this) {
      case Any _ -> "";
      case Present _ -> "any";
      case Absent _ -> "none";
      case In in -> text(in.ranges());
      case NotIn notIn -> "!" + text(notIn.ranges());
    };
  }

  private static String text(List<Range> ranges) {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }
}
