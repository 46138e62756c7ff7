package dev.lasso.routing.profile;

import java.util.regex.Pattern;

/**
 * A JSON-RPC method name, or the start of one followed by {@code *}. Case does not matter.
 *
 * @param text as the file writes it
 */
public record MethodPattern(String text) {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_.\\-]{1,128}\\*?|\\*");

  public MethodPattern {
    if (!ALLOWED.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "method must be a method name or the start of one and '*', was '" + text + "'");
    }
  }

  public static MethodPattern of(String text) {
    return new MethodPattern(text);
  }

  /** Whether the pattern covers the method. */
  public boolean matches(String method) {
    if (text.endsWith("*")) {
      return method.regionMatches(true, 0, text, 0, text.length() - 1)
          && method.length() >= text.length() - 1;
    }
    return method.equalsIgnoreCase(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
