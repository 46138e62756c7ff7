package dev.lasso.routing;

import java.util.regex.Pattern;

/**
 * The one rule for identifiers that people write: they become parts of topic keys and URL paths.
 */
final class Names {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  private Names() {}

  /**
   * Returns the name if it is allowed.
   *
   * @throws IllegalArgumentException when the name has other characters, is empty or too long
   */
  static String requireName(String what, String name) {
    if (!ALLOWED.matcher(name).matches()) {
      throw new IllegalArgumentException(
          what
              + " must be 1 to 128 of letters, digits, '.', '_' or '-' and start with a letter or"
              + " digit, was '"
              + name
              + "'");
    }
    return name;
  }
}
