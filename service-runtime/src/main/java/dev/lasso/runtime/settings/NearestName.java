package dev.lasso.runtime.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody probably meant to write. */
public final class NearestName {
  private NearestName() {}

  /**
   * The known name with the fewest single-character edits from {@code written}, if it is near
   * enough to be a slip of the keyboard: at most a third of the letters differ. Ties go to the
   * alphabetically first.
   */
  public static Optional<String> to(String written, Collection<String> known) {
    int tolerated = Math.max(1, written.length() / 3);
    return known.stream()
        .filter(candidate -> distance(written, candidate) <= tolerated)
        .min(
            Comparator.<String>comparingInt(candidate -> distance(written, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /**
   * Levenshtein distance: insertions, deletions and substitutions that turn one text into the
   * other.
   */
  static int distance(String from, String to) {
    int[] previous = new int[to.length() + 1];
    int[] current = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      current[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int substitution = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
        current[column] =
            Math.min(
                Math.min(current[column - 1], previous[column]) + 1,
                previous[column - 1] + substitution);
      }
      int[] spare = previous;
      previous = current;
      current = spare;
    }
    return previous[to.length()];
  }
}
