package dev.lasso.profiles;

import dev.lasso.routing.profile.Templated;
import java.util.regex.Pattern;

/**
 * Guesses whether a template has a key written out in it. Only a guess, so it leads to a warning;
 * what is shown or logged is redacted in any case.
 */
final class SecretScan {
  private static final Pattern PART = Pattern.compile("[^A-Za-z0-9_-]+");
  private static final Pattern KEY_LIKE =
      Pattern.compile("(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_-]{16,}|[0-9]{16,}|[A-Za-z]{28,}");
  private static final Pattern USER_INFO = Pattern.compile("[A-Za-z]+://[^/?#]*@.*");

  private SecretScan() {}

  /** Whether a URL has a password or something like a key in host, path or query. */
  static boolean urlHasKey(Templated url) {
    String own = url.ownText();
    boolean password =
        USER_INFO.matcher(own).matches() && !own.contains("://@") && !own.contains("://:@");
    return password || looksLikeKey(own);
  }

  /** Whether a part of the text looks like a key: long, letters with digits. */
  static boolean looksLikeKey(String text) {
    return PART.splitAsStream(text).anyMatch(part -> KEY_LIKE.matcher(part).matches());
  }
}
