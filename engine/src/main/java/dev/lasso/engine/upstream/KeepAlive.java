package dev.lasso.engine.upstream;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code Keep-Alive} header: how long a server keeps an idle connection. */
final class KeepAlive {
  private static final Pattern TIMEOUT = Pattern.compile("(?i)\\btimeout\\s*=\\s*\"?(\\d{1,6})");
  private static final long MARGIN_MS = 1_000;

  private KeepAlive() {}

  /**
   * The time within which the connection may be used again: the announced one less a second for
   * what is on the way; unlimited when nothing is announced.
   */
  static long timeoutMs(@Nullable String header) {
    if (header == null) {
      return Long.MAX_VALUE;
    }
    Matcher matcher = TIMEOUT.matcher(header);
    return matcher.find()
        ? Math.max(Long.parseLong(matcher.group(1)) * 1_000 - MARGIN_MS, 0)
        : Long.MAX_VALUE;
  }
}
