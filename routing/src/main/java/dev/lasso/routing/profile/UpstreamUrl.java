package dev.lasso.routing.profile;

import dev.lasso.routing.Transport;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an upstream is reached, taken apart. Paths and queries often hold keys, so {@link
 * #toString} shows neither.
 *
 * @param transport HTTP for {@code http(s)}, WS for {@code ws(s)}
 * @param tls whether the connection is encrypted
 * @param host lower case; an IPv6 address has its brackets
 * @param port 1 to 65535
 * @param target path and query as written, at least {@code /}
 * @param userInfo {@code user:password}, decoded, or null for none
 */
public record UpstreamUrl(
    Transport transport,
    boolean tls,
    String host,
    int port,
    String target,
    @Nullable String userInfo) {
  private static final Pattern SHAPE =
      Pattern.compile(
          "(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?:(?<user>[^/?#@]*)@)?"
              + "(?<host>\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)"
              + "(?::(?<port>[0-9]{1,5}))?(?<target>[/?][^#]*)?");
  private static final Pattern TEXT = Pattern.compile("[\\x21-\\x7e]{1,4096}");

  /**
   * Reads an absolute URL of one transport.
   *
   * @throws IllegalArgumentException saying what was expected; the message does not repeat the URL
   */
  public static UpstreamUrl parse(Transport transport, String text) {
    String schemes = transport == Transport.HTTP ? "http:// or https://" : "ws:// or wss://";
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must be an absolute URL of at most 4096 ASCII characters without spaces");
    }
    Matcher matcher = SHAPE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be an absolute URL that starts with " + schemes + ", without a fragment");
    }
    String scheme = matcher.group("scheme").toLowerCase(Locale.ROOT);
    String plain = transport == Transport.HTTP ? "http" : "ws";
    boolean tls = scheme.equals(plain + "s");
    if (!tls && !scheme.equals(plain)) {
      throw new IllegalArgumentException("must start with " + schemes);
    }
    String port = matcher.group("port");
    int number = port == null ? defaultPort(tls) : Integer.parseInt(port);
    if (number < 1 || number > 65_535) {
      throw new IllegalArgumentException("must have a port of 1 to 65535");
    }
    String target = matcher.group("target");
    String fullTarget = target == null ? "/" : target.startsWith("?") ? "/" + target : target;
    return new UpstreamUrl(
        transport,
        tls,
        matcher.group("host").toLowerCase(Locale.ROOT),
        number,
        fullTarget,
        decoded(matcher.group("user")));
  }

  private static @Nullable String decoded(@Nullable String userInfo) {
    if (userInfo == null || userInfo.isEmpty()) {
      return null;
    }
    try {
      return URLDecoder.decode(userInfo.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("must have a well-formed user and password", e);
    }
  }

  private static int defaultPort(boolean tls) {
    return tls ? 443 : 80;
  }

  /** Whether the port is the one that the scheme implies. */
  public boolean hasDefaultPort() {
    return port == defaultPort(tls);
  }

  /**
   * The same text for every way to write the same upstream: scheme and host in lower case, no
   * default port, no trailing slash, query parameters sorted, no user and password. It may hold a
   * key.
   */
  public String normalised() {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? "" : target.substring(question + 1);
    while (path.endsWith("/")) {
      path = path.substring(0, path.length() - 1);
    }
    if (!query.isEmpty()) {
      String[] parameters = query.split("&", -1);
      Arrays.sort(parameters);
      query = "?" + String.join("&", parameters);
    }
    return scheme() + "://" + host + (hasDefaultPort() ? "" : ":" + port) + path + query;
  }

  private String scheme() {
    return switch (transport) {
      case HTTP -> tls ? "https" : "http";
      case WS -> tls ? "wss" : "ws";
    };
  }

  @Override
  public String toString() {
    return scheme() + " upstream (redacted)";
  }
}
