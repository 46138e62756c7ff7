package dev.lasso.routing.profile;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One tenant's chains, providers and routing rules. Topic {@code profiles}: the whole profile,
 * keyed by slug.
 *
 * @param slug names it in URLs and topic keys
 * @param name shown to people
 * @param rpsLimit requests per second that one client may send; 0 for no limit
 * @param burstLimit requests that one client may send at once; 0 exactly when {@code rpsLimit} is
 * @param chains at least one, with distinct ids, names and aliases
 */
public record Profile(
    ProfileSlug slug, String name, int rpsLimit, int burstLimit, List<ChainProfile> chains) {
  public static final int DEFAULT_RPS_LIMIT = 100;
  public static final int DEFAULT_BURST_LIMIT = 500;

  public Profile {
    chains = List.copyOf(chains);
    Require.notBlank("name", name);
    Require.between("rps_limit", rpsLimit, 0, 10_000_000);
    Require.between("burst_limit", burstLimit, 0, 10_000_000);
    if ((rpsLimit == 0) != (burstLimit == 0)) {
      throw new IllegalArgumentException("rps_limit and burst_limit must both be 0 or neither");
    }
    if (chains.isEmpty()) {
      throw new IllegalArgumentException("chains must have at least one entry");
    }
    Set<ChainId> ids = new HashSet<>();
    Set<ChainName> names = new HashSet<>();
    for (ChainProfile chain : chains) {
      if (!ids.add(chain.chainId())) {
        throw new IllegalArgumentException("two chains have the id " + chain.chainId());
      }
      for (ChainName word : chain.routeNames()) {
        if (!names.add(word)) {
          throw new IllegalArgumentException("two chains have the name or alias '" + word + "'");
        }
      }
    }
  }

  /** Whether clients are limited at all. */
  public boolean limitsClients() {
    return rpsLimit > 0;
  }

  /** The chain with the id. Scans; per-request lookups belong to an index. */
  public Optional<ChainProfile> chain(ChainId id) {
    return chains.stream().filter(chain -> chain.chainId().equals(id)).findFirst();
  }
}
