package dev.lasso.profiles;

import dev.lasso.routing.profile.Templated;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How text that may hold a secret is written out. */
public enum SecretText {
  /** As the profile has it: for files that are to be read again. */
  SOURCE {
    @Override
    String url(Templated url) {
      return url.source();
    }

    @Override
    String header(String name, Templated value) {
      return value.source();
    }
  },
  /**
   * Without anything that may be a key: references stay, paths and queries that are written out do
   * not, nor do hosts or headers that look like keys.
   */
  REDACTED {
    @Override
    String url(Templated url) {
      Matcher matcher = URL.matcher(url.source());
      if (!matcher.matches()) {
        return url.isLiteral() ? HIDDEN : url.toString();
      }
      String host = matcher.group("host");
      String rest = matcher.group("rest");
      boolean plainHost = !SecretScan.looksLikeKey(host) && !hasDefault(host);
      return matcher.group("scheme")
          + (plainHost ? host : HIDDEN)
          + (rest.isEmpty() || rest.equals("/") ? rest : "/" + references(rest));
    }

    @Override
    String header(String name, Templated value) {
      return references(value.source());
    }
  };

  private static final String HIDDEN = "***";
  private static final Pattern URL =
      Pattern.compile("(?<scheme>[A-Za-z]+://)(?:[^/?#@]*@)?(?<host>[^/?#@]*)(?<rest>(?:[/?].*)?)");
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)[^}]*}");

  abstract String url(Templated url);

  abstract String header(String name, Templated value);

  private static boolean hasDefault(String text) {
    return text.contains(":-");
  }

  /** The references of a template without their defaults, and stars for all else. */
  private static String references(String source) {
    StringBuilder shown = new StringBuilder();
    Matcher matcher = REFERENCE.matcher(source);
    int end = 0;
    while (matcher.find()) {
      if (matcher.start() > end) {
        shown.append(HIDDEN);
      }
      shown.append("${").append(matcher.group(1)).append('}');
      end = matcher.end();
    }
    return end < source.length() ? shown.append(HIDDEN).toString() : shown.toString();
  }
}
