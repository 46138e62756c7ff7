package dev.lasso.routing.snapshot;

import dev.lasso.routing.ChainName;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** A profile ready to serve: its chains by every word that a URL may name them with. Immutable. */
public final class ActiveProfile {
  private final Profile profile;
  private final SequencedMap<Long, ActiveChain> chains;
  private final Map<String, ActiveChain> byWord;

  ActiveProfile(Profile profile, SequencedMap<Long, ActiveChain> chains) {
    this.profile = profile;
    this.chains = new LinkedHashMap<>(chains);
    Map<String, ActiveChain> words = new HashMap<>();
    for (ActiveChain chain : chains.values()) {
      ChainProfile settings = chain.settings();
      words.put(settings.chainId().toString(), chain);
      for (ChainName name : settings.routeNames()) {
        words.put(name.value(), chain);
      }
    }
    this.byWord = Map.copyOf(words);
  }

  public Profile profile() {
    return profile;
  }

  /** The chains in profile order. */
  public Collection<ActiveChain> chains() {
    return chains.sequencedValues().stream().toList();
  }

  /**
   * A chain by its name, alias or decimal id, or null when the profile has none such.
   *
   * @param word as in the URL
   */
  public @Nullable ActiveChain chain(String word) {
    return byWord.get(word);
  }
}
