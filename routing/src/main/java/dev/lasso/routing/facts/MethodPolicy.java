package dev.lasso.routing.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which methods a profile serves. Some are never forwarded, because a shared provider must not hold
 * anybody's keys or be administered through a gateway; a profile's {@code methods.deny} takes away
 * more, its {@code methods.allow} gives back. Names are compared ignoring case, so that no spelling
 * slips past a rule. Immutable, for any thread.
 *
 * <p>Of the patterns that fit, the longest decides, an exact name being longer than any prefix;
 * allow and deny at equal length means denied. A profile's patterns come before the built-in ones,
 * whatever their length.
 */
public final class MethodPolicy {
  private static final String NO_KEYS = "the gateway holds no keys";
  private static final String NO_ADMINISTRATION = "nodes are not administered through the gateway";
  private static final String NO_CHAIN_CONTROL = "chains are not controlled through the gateway";

  private static final List<Pattern> NEVER_FORWARDED =
      Stream.of(
              never(NO_KEYS, "eth_sendtransaction", "eth_sign*", "eth_resend", "eth_accounts"),
              never(NO_KEYS, "personal_*"),
              never(NO_ADMINISTRATION, "admin_*", "miner_*", "engine_*"),
              // go-ethereum keeps profilers, log levels and database commands beside the tracers
              never(NO_ADMINISTRATION, "debug_set*", "debug_start*", "debug_stop*", "debug_write*"),
              never(NO_ADMINISTRATION, "debug_chaindb*", "debug_verbosity", "debug_vmodule"),
              never(NO_CHAIN_CONTROL, "evm_*", "anvil_*", "hardhat_*"))
          .flatMap(List::stream)
          .toList();

  private static final Decision ALLOWED = new Decision.Allowed();

  private static final MethodPolicy STANDARD = new MethodPolicy(List.of(), List.of());

  private final List<Pattern> allow;
  private final List<Pattern> deny;

  /** Decisions for the rows of the method table, by index. */
  private final List<Decision> listed;

  /** Whether a method is served. */
  public sealed interface Decision {
    /** It is. */
    record Allowed() implements Decision {}

    /**
     * It is not: the answer is -32601 with the reason.
     *
     * @param reason why, for the caller
     */
    record Refused(String reason) implements Decision {}
  }

  /** A lower-case name, or a prefix when it ends in {@code *}. */
  private record Pattern(String text, String reason) {
    boolean matches(String lowerCaseName) {
      return isPrefix()
          ? lowerCaseName.startsWith(text.substring(0, text.length() - 1))
          : lowerCaseName.equals(text);
    }

    boolean isPrefix() {
      return text.endsWith("*");
    }

    /** An exact name is longer than any prefix of it. */
    int length() {
      return isPrefix() ? text.length() - 1 : text.length() + 1;
    }
  }

  private MethodPolicy(List<Pattern> allow, List<Pattern> deny) {
    this.allow = List.copyOf(allow);
    this.deny = List.copyOf(deny);
    List<Decision> decisions = new ArrayList<>();
    for (RpcMethod row : MethodTable.rows()) {
      decisions.add(decideByPattern(row.name()));
    }
    this.listed = List.copyOf(decisions);
  }

  /** The policy of a profile that says nothing about methods. */
  public static MethodPolicy standard() {
    return STANDARD;
  }

  /**
   * The policy of a profile.
   *
   * @param allow names, or prefixes ending in {@code *}, served although they would not be
   * @param deny names, or prefixes ending in {@code *}, not served although they would be
   * @throws IllegalArgumentException when a pattern is empty or has a {@code *} before its end
   */
  public static MethodPolicy of(List<String> allow, List<String> deny) {
    return new MethodPolicy(
        patterns(allow, ""), patterns(deny, "the profile does not serve this method"));
  }

  private static List<Pattern> never(String reason, String... patterns) {
    return patterns(List.of(patterns), reason);
  }

  private static List<Pattern> patterns(List<String> texts, String reason) {
    return texts.stream()
        .map(
            text -> {
              int star = text.indexOf('*');
              if (text.isBlank() || (star >= 0 && star < text.length() - 1)) {
                throw new IllegalArgumentException(
                    "method pattern must be a name or a prefix ending in *, was '" + text + "'");
              }
              return new Pattern(text.toLowerCase(Locale.ROOT), reason);
            })
        .toList();
  }

  /** Whether a method is served; does no work for listed methods. */
  public Decision decide(RpcMethod method) {
    return method.listed() ? listed.get(method.index()) : decideUnlisted(method.name());
  }

  private Decision decideUnlisted(String name) {
    Decision decision = decideByPattern(name);
    String listedName = MethodTable.listedSpelling(name);
    return decision instanceof Decision.Allowed && listedName != null
        ? new Decision.Refused("method names are case-sensitive; did you mean " + listedName + "?")
        : decision;
  }

  private Decision decideByPattern(String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    Pattern denied = longest(deny, lowerCase);
    Pattern allowed = longest(allow, lowerCase);
    if (denied != null && (allowed == null || denied.length() >= allowed.length())) {
      return new Decision.Refused(denied.reason());
    }
    if (allowed != null) {
      return ALLOWED;
    }
    Pattern never = longest(NEVER_FORWARDED, lowerCase);
    return never == null ? ALLOWED : new Decision.Refused(never.reason());
  }

  private static @Nullable Pattern longest(List<Pattern> patterns, String lowerCaseName) {
    Pattern longest = null;
    for (Pattern pattern : patterns) {
      if (pattern.matches(lowerCaseName)
          && (longest == null || pattern.length() > longest.length())) {
        longest = pattern;
      }
    }
    return longest;
  }
}
