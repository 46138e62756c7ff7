package dev.lasso.profiles;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the known word that somebody probably meant. */
final class Nearest {
  private static final int LONGEST = 64;

  private Nearest() {}

  /**
   * The known word with the fewest edits from the given one, or null when none is close. Hyphens,
   * capitals and camel case cost nothing.
   */
  static @Nullable String of(String word, Collection<String> known) {
    if (word.length() > LONGEST) {
      return null;
    }
    String plain = plain(word);
    String best = null;
    int fewest = Math.max(2, plain.length() / 3) + 1;
    for (String candidate : known) {
      int edits = edits(plain, plain(candidate));
      if (edits < fewest) {
        fewest = edits;
        best = candidate;
      }
    }
    return best;
  }

  private static String plain(String word) {
    return word.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT).replace('-', '_');
  }

  /** Optimal string alignment distance: insert, delete, replace, swap of neighbours. */
  private static int edits(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        cost[i][j] = swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
      }
    }
    return cost[a.length()][b.length()];
  }
}
