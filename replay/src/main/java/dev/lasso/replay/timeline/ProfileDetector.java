package dev.lasso.replay.timeline;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Profiles put in force, changed and taken out. Never tells what may be secret. */
final class ProfileDetector {
  private final Entries entries;
  private final Map<ProfileSlug, Profile> profiles = new HashMap<>();

  ProfileDetector(Entries entries) {
    this.entries = entries;
  }

  void take(ProfileSlug slug, @Nullable Profile now, long atMs) {
    Profile before = now == null ? profiles.remove(slug) : profiles.put(slug, now);
    String text = text(before, now);
    if (text != null) {
      entries.add(
          Entry.at(
              atMs,
              Kind.PROFILE,
              Severity.INFO,
              new Subject(null, slug, null, null, null, null),
              text));
    }
  }

  private static @Nullable String text(@Nullable Profile before, @Nullable Profile now) {
    if (now == null) {
      return before == null ? null : "profile taken out";
    }
    if (before == null) {
      return "profile in force: " + Words.count(now.chains().size(), "chain", "chains");
    }
    List<String> changes = changes(before, now);
    return changes.isEmpty() ? null : "profile changed: " + String.join("; ", changes);
  }

  private static List<String> changes(Profile before, Profile now) {
    List<String> changes = new ArrayList<>();
    if (before.rpsLimit() != now.rpsLimit()) {
      changes.add("rps_limit " + before.rpsLimit() + " → " + now.rpsLimit());
    }
    Map<ChainId, ChainProfile> old = new LinkedHashMap<>();
    before.chains().forEach(chain -> old.put(chain.chainId(), chain));
    for (ChainProfile chain : now.chains()) {
      ChainProfile was = old.remove(chain.chainId());
      if (was == null) {
        changes.add("chain " + chain.key() + " added");
      } else {
        changes(was, chain, changes);
      }
    }
    old.values().forEach(chain -> changes.add("chain " + chain.key() + " removed"));
    return changes;
  }

  private static void changes(ChainProfile before, ChainProfile now, List<String> changes) {
    String chain = now.key() + ": ";
    if (before.routing().defaultStrategy() != now.routing().defaultStrategy()) {
      changes.add(
          chain
              + "strategy "
              + before.routing().defaultStrategy().word()
              + " → "
              + now.routing().defaultStrategy().word());
    } else if (!before.routing().equals(now.routing())) {
      changes.add(chain + "routing");
    }
    if (!before.selection().equals(now.selection())) {
      changes.add(
          chain
              + "selection (max_lag_blocks "
              + before.selection().maxLagBlocks()
              + " → "
              + now.selection().maxLagBlocks()
              + ")");
    }
    if (!before.methods().equals(now.methods())) {
      changes.add(chain + "methods");
    }
    Map<ProviderId, Provider> old = new LinkedHashMap<>();
    before.providers().forEach(provider -> old.put(provider.id(), provider));
    for (Provider provider : now.providers()) {
      Provider was = old.remove(provider.id());
      if (was == null) {
        changes.add(chain + "provider " + provider.id() + " added");
      } else if (!was.equals(provider)) {
        changes.add(chain + "provider " + provider.id() + " changed (" + what(was, provider) + ")");
      }
    }
    old.values().forEach(gone -> changes.add(chain + "provider " + gone.id() + " removed"));
  }

  private static String what(Provider before, Provider now) {
    List<String> parts = new ArrayList<>();
    if (!Objects.equals(before.url(), now.url())) {
      parts.add("url");
    }
    if (!Objects.equals(before.wsUrl(), now.wsUrl())) {
      parts.add("ws_url");
    }
    if (!before.headers().equals(now.headers()) || !Objects.equals(before.apiKey(), now.apiKey())) {
      parts.add("credentials");
    }
    if (before.priority() != now.priority()) {
      parts.add("priority " + before.priority() + " → " + now.priority());
    }
    if (before.archival() != now.archival()) {
      parts.add("archival");
    }
    if (!before.capabilities().equals(now.capabilities())) {
      parts.add("capabilities");
    }
    return parts.isEmpty() ? "other settings" : String.join(", ", parts);
  }
}
