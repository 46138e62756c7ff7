package dev.lasso.routing.profile;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An upstream as a profile names it. What may be secret (URLs, headers, key) is a template here;
 * {@link #resolve} turns it into something to connect to.
 *
 * @param id names it within its chain of its profile
 * @param name shown to people
 * @param url where HTTP requests go, or null for no HTTP
 * @param wsUrl where the WebSocket is, or null for none; one of the two must be there
 * @param priority the priority strategy takes lower ones first, 0 to 1,000,000
 * @param archival whether it keeps old state
 * @param subscribeNewHeads whether heads are also taken from its {@code newHeads} subscription
 * @param headers sent with every request, by lower-case name
 * @param apiKey sent as {@code Authorization: Bearer}, or null for none
 * @param sharing whether equal upstreams of other profiles are the same instance
 * @param capabilities what it can't do
 */
public record Provider(
    ProviderId id,
    String name,
    @Nullable Templated url,
    @Nullable Templated wsUrl,
    int priority,
    boolean archival,
    boolean subscribeNewHeads,
    Map<String, Templated> headers,
    @Nullable Templated apiKey,
    Sharing sharing,
    Capabilities capabilities) {
  public static final int DEFAULT_PRIORITY = 100;

  /** Headers that the connection itself sets. */
  public static final Set<String> CONNECTION_HEADERS =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9a-z-]{1,128}");
  private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");
  private static final String AUTHORIZATION = "authorization";

  public Provider {
    Require.notBlank("name", name);
    Require.between("priority", priority, 0, 1_000_000);
    if (url == null && wsUrl == null) {
      throw new IllegalArgumentException("provider '" + id + "' must have a url or a ws_url");
    }
    Map<String, Templated> byName = new TreeMap<>();
    headers.forEach(
        (header, value) -> {
          if (byName.put(checkedHeaderName(header), value) != null) {
            throw new IllegalArgumentException("the header '" + header + "' is there twice");
          }
        });
    headers = Collections.unmodifiableMap(byName);
    if (apiKey != null && headers.containsKey(AUTHORIZATION)) {
      throw new IllegalArgumentException(
          "provider '" + id + "' must not have both api_key and an authorization header");
    }
  }

  /** A provider with an HTTP URL and every setting at its default. */
  public static Provider of(ProviderId id, String url) {
    return new Provider(
        id,
        id.value(),
        Templated.parse(url),
        null,
        DEFAULT_PRIORITY,
        true,
        true,
        Map.of(),
        null,
        Sharing.SHARED,
        Capabilities.ALL);
  }

  /**
   * Replaces variables and derives the instance id. Never throws: a provider whose variables are
   * missing in this process is unusable here and says why.
   *
   * @param chain the chain that lists it
   * @param profile the profile that lists it
   * @param environment this process's variables
   */
  public Resolution resolve(ChainId chain, ProfileSlug profile, Environment environment) {
    UpstreamUrl http;
    UpstreamUrl ws;
    TreeMap<String, String> resolved = new TreeMap<>();
    try {
      http = resolvedUrl("url", Transport.HTTP, url, environment);
      ws = resolvedUrl("ws_url", Transport.WS, wsUrl, environment);
      headers.forEach(
          (header, value) -> resolved.put(header, resolvedHeader(header, value, environment)));
      if (apiKey != null) {
        resolved.put(AUTHORIZATION, "Bearer " + resolvedHeader("api_key", apiKey, environment));
      }
      addUserInfo(resolved, http, ws);
    } catch (IllegalArgumentException e) {
      return new Resolution.Unusable(id, String.valueOf(e.getMessage()));
    }
    String owner = sharing == Sharing.ISOLATED ? profile.value() : null;
    return new Resolution.Usable(
        new ProviderEndpoint(
            id, InstanceIdentity.derive(chain, http, ws, resolved, owner), http, ws, resolved));
  }

  private static @Nullable UpstreamUrl resolvedUrl(
      String key, Transport transport, @Nullable Templated template, Environment environment) {
    if (template == null) {
      return null;
    }
    try {
      return UpstreamUrl.parse(transport, template.resolve(environment));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
    }
  }

  private static String resolvedHeader(String key, Templated template, Environment environment) {
    String value;
    try {
      value = template.resolve(environment).strip();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
    }
    if (!HEADER_VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException(key + ": must have no line breaks or control characters");
    }
    return value;
  }

  private static void addUserInfo(
      Map<String, String> headers, @Nullable UpstreamUrl http, @Nullable UpstreamUrl ws) {
    String userInfo =
        http != null && http.userInfo() != null
            ? http.userInfo()
            : ws == null ? null : ws.userInfo();
    if (userInfo != null) {
      byte[] bytes = userInfo.getBytes(StandardCharsets.UTF_8);
      headers.putIfAbsent(AUTHORIZATION, "Basic " + Base64.getEncoder().encodeToString(bytes));
    }
  }

  private static String checkedHeaderName(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    if (!HEADER_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + header + "' is not a header name");
    }
    if (CONNECTION_HEADERS.contains(name)) {
      throw new IllegalArgumentException("the header '" + name + "' is set by the connection");
    }
    return name;
  }
}
