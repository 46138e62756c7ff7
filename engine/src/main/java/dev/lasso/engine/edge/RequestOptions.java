package dev.lasso.engine.edge;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may ask for beside the JSON-RPC call itself, by path, query or header. A query
 * parameter is taken before its header.
 *
 * @param strategy how to rank, or null for the profile's choice
 * @param provider the one provider to use, or null for any
 * @param transport the only transport to use upstream, or null for any
 * @param excluded providers not to use
 * @param excludeRateLimited whether rate-limited providers are left out instead of tried last
 * @param minBlock height that a provider must have reached; -1 for none
 * @param session names what the caller reads one after the other, so that it never reads backwards;
 *     null for none
 * @param metadata whether and where the answer explains itself
 */
public record RequestOptions(
    @Nullable StrategyName strategy,
    @Nullable ProviderId provider,
    @Nullable Transport transport,
    Set<ProviderId> excluded,
    boolean excludeRateLimited,
    long minBlock,
    @Nullable String session,
    Metadata metadata) {
  private static final int MAX_SESSION = 128;

  /** Nothing asked for. */
  public static final RequestOptions NONE =
      new RequestOptions(null, null, null, Set.of(), false, -1, null, Metadata.NONE);

  public RequestOptions {
    excluded = Set.copyOf(excluded);
  }

  /** The same for a session that has read up to the given height; -1 for none. */
  public RequestOptions inSession(long height) {
    return new RequestOptions(
        strategy,
        provider,
        transport,
        excluded,
        excludeRateLimited,
        Math.max(minBlock, height),
        null,
        metadata);
  }

  /** Where an answer carries its metadata. */
  public enum Metadata {
    NONE,
    HEADERS,
    BODY
  }

  /** The options of a request, or what is wrong with them. */
  public sealed interface Parsed {
    /** All well. */
    record Options(RequestOptions options) implements Parsed {}

    /**
     * A value that can't be understood.
     *
     * @param message names the option, the value and what was expected
     */
    record Invalid(String message) implements Parsed {}
  }

  /**
   * Collects the options of a request.
   *
   * @param path where it is addressed to
   * @param query value of a query parameter, null when absent
   * @param header value of a header, null when absent
   */
  public static Parsed parse(
      RpcPath path,
      Function<String, @Nullable String> query,
      Function<String, @Nullable String> header) {
    Reader reader = new Reader(query, header);
    try {
      String strategy = reader.value("strategy", "X-Lasso-Strategy");
      String provider = reader.value("provider", "X-Lasso-Provider");
      String transport = reader.value("transport", "X-Lasso-Transport");
      String excluded = reader.value("exclude", "X-Lasso-Exclude");
      String rateLimited = reader.value("exclude_rate_limited", "X-Lasso-Exclude-Rate-Limited");
      String minBlock = reader.value("min_block", "X-Lasso-Min-Block");
      String session = reader.value("session", "X-Lasso-Session");
      String metadata = reader.value("include_meta", "X-Lasso-Include-Meta");
      if (path.provider() != null) {
        provider = path.provider();
      }
      if (strategy == null
          && provider == null
          && transport == null
          && excluded == null
          && rateLimited == null
          && minBlock == null
          && session == null
          && metadata == null
          && path.strategy() == null) {
        return new Parsed.Options(NONE);
      }
      StrategyName byPath = path.strategy();
      return new Parsed.Options(
          new RequestOptions(
              byPath == null && strategy != null ? StrategyName.parse(strategy) : byPath,
              provider == null ? null : ProviderId.of(provider),
              transport == null ? null : Transport.parse(transport),
              providers(excluded),
              flag("exclude_rate_limited", rateLimited),
              blockNumber(minBlock),
              session(session),
              metadata(metadata)));
    } catch (IllegalArgumentException e) {
      return new Parsed.Invalid(String.valueOf(e.getMessage()));
    }
  }

  private record Reader(
      Function<String, @Nullable String> query, Function<String, @Nullable String> header) {
    @Nullable String value(String parameter, String name) {
      String value = query.apply(parameter);
      if (value == null) {
        value = header.apply(name);
      }
      if (value != null && value.length() > 1_024) {
        throw new IllegalArgumentException(parameter + " must have at most 1024 characters");
      }
      return value == null || value.isBlank() ? null : value.trim();
    }
  }

  private static Set<ProviderId> providers(@Nullable String list) {
    if (list == null) {
      return Set.of();
    }
    Set<ProviderId> providers = new HashSet<>();
    for (String id : list.split(",", -1)) {
      if (!id.isBlank()) {
        providers.add(ProviderId.of(id.trim()));
      }
    }
    return providers;
  }

  private static boolean flag(String name, @Nullable String value) {
    if (value == null || value.equals("false") || value.equals("0")) {
      return false;
    }
    if (value.equals("true") || value.equals("1")) {
      return true;
    }
    throw new IllegalArgumentException(name + " must be true or false, was '" + value + "'");
  }

  private static long blockNumber(@Nullable String value) {
    if (value == null) {
      return -1;
    }
    try {
      long number =
          value.startsWith("0x") || value.startsWith("0X")
              ? Long.parseLong(value, 2, value.length(), 16)
              : Long.parseLong(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // told below
    }
    throw new IllegalArgumentException(
        "min_block must be a block number, decimal or 0x hexadecimal, was '" + value + "'");
  }

  private static @Nullable String session(@Nullable String value) {
    if (value != null && value.length() > MAX_SESSION) {
      throw new IllegalArgumentException(
          "session must have at most " + MAX_SESSION + " characters, had " + value.length());
    }
    return value;
  }

  private static Metadata metadata(@Nullable String value) {
    if (value == null) {
      return Metadata.NONE;
    }
    return switch (value) {
      case "headers" -> Metadata.HEADERS;
      case "body" -> Metadata.BODY;
      default ->
          throw new IllegalArgumentException(
              "include_meta must be headers or body, was '" + value + "'");
    };
  }
}
