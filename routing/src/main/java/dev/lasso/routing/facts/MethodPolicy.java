package dev.lasso.routing.facts;

import dev.lasso.routing.profile.MethodAccess;
import dev.lasso.routing.profile.MethodPattern;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which methods a chain's clients may call. Some are never forwarded, because a shared provider
 * must not hold anybody's keys or be administered through a gateway; a profile's {@code
 * methods.allow} gives back, {@code methods.deny} takes away more and wins. Names are compared
 * ignoring case, so that no spelling slips past a rule. Immutable, for any thread.
 */
public final class MethodPolicy {
  private static final String NO_KEYS = "the gateway holds no keys";
  private static final String NO_ADMINISTRATION = "nodes are not administered through the gateway";
  private static final String NO_CHAIN_CONTROL = "chains are not controlled through the gateway";
  private static final String DENIED = "the profile does not serve this method";

  private static final List<Family> NEVER_FORWARDED =
      Stream.of(
              families(NO_KEYS, "eth_sendTransaction", "eth_sign*", "eth_resend", "eth_accounts"),
              families(NO_KEYS, "personal_*"),
              families(NO_ADMINISTRATION, "admin_*", "miner_*", "engine_*"),
              // go-ethereum keeps profilers, log levels and database commands beside the tracers
              families(NO_ADMINISTRATION, "debug_set*", "debug_start*", "debug_stop*"),
              families(NO_ADMINISTRATION, "debug_write*", "debug_chaindb*"),
              families(NO_ADMINISTRATION, "debug_verbosity", "debug_vmodule"),
              families(NO_CHAIN_CONTROL, "evm_*", "anvil_*", "hardhat_*"))
          .flatMap(List::stream)
          .toList();

  private static final Decision ALLOWED = new Decision.Allowed();

  private static final MethodPolicy STANDARD = new MethodPolicy(MethodAccess.DEFAULT);

  private final MethodAccess access;

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

  private record Family(MethodPattern pattern, String reason) {}

  private MethodPolicy(MethodAccess access) {
    this.access = access;
    this.listed = MethodTable.rows().stream().map(row -> decideByPattern(row.name())).toList();
  }

  /** The policy of a profile that says nothing about methods. */
  public static MethodPolicy standard() {
    return STANDARD;
  }

  /** The policy of a profile's chain. */
  public static MethodPolicy of(MethodAccess access) {
    return access.equals(MethodAccess.DEFAULT) ? STANDARD : new MethodPolicy(access);
  }

  /** The patterns of what is never forwarded unless a profile allows it. */
  public static List<MethodPattern> neverForwarded() {
    return NEVER_FORWARDED.stream().map(Family::pattern).toList();
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
    String reason = neverForwardedReason(name);
    if (access.permits(name, reason == null)) {
      return ALLOWED;
    }
    return new Decision.Refused(reason == null ? DENIED : reason);
  }

  private static @Nullable String neverForwardedReason(String name) {
    for (Family family : NEVER_FORWARDED) {
      if (family.pattern().matches(name)) {
        return family.reason();
      }
    }
    return null;
  }

  private static List<Family> families(String reason, String... patterns) {
    return Stream.of(patterns)
        .map(pattern -> new Family(MethodPattern.of(pattern), reason))
        .toList();
  }
}
