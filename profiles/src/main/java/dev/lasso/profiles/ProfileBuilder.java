package dev.lasso.profiles;

import dev.lasso.profiles.Checked.Fields;
import dev.lasso.profiles.Checked.Word;
import dev.lasso.profiles.Finding.Code;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.profile.MethodAccess;
import dev.lasso.routing.profile.MethodOverride;
import dev.lasso.routing.profile.MethodPattern;
import dev.lasso.routing.profile.Monitoring;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.profile.Selection;
import dev.lasso.routing.profile.Selection.OnAllLagging;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.routing.profile.SubscriptionSettings.ContinuityPolicy;
import dev.lasso.routing.profile.WebSocketSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns a checked file into a profile and finds what only shows when parts are seen together:
 * colliding names, references to nothing, limits that contradict. Used by one thread.
 */
final class ProfileBuilder {
  private final Findings findings;
  private final ProviderBuilder providers;

  ProfileBuilder(Findings findings, Environment environment) {
    this.findings = findings;
    this.providers = new ProviderBuilder(findings, environment);
  }

  /** The profile; null when a part of it is missing, for which a fault was found. */
  @Nullable Profile profile(Fields file) {
    Word slug = file.word("slug");
    ProfileSlug profileSlug =
        slug == null ? null : attempt(slug, () -> ProfileSlug.of(slug.text()));
    requireNoCollisions(file.fields("chains"));
    List<ChainProfile> chains = new ArrayList<>();
    file.fields("chains")
        .byName()
        .forEach(
            (key, value) -> {
              if (value instanceof Fields fields) {
                ChainProfile chain = chain(key, fields, profileSlug);
                if (chain != null) {
                  chains.add(chain);
                }
              }
            });
    int rpsLimit = file.number("rps_limit", Profile.DEFAULT_RPS_LIMIT);
    int burstLimit = file.number("burst_limit", rpsLimit == 0 ? 0 : Profile.DEFAULT_BURST_LIMIT);
    requireConsistentLimits(file, rpsLimit, burstLimit);
    if (profileSlug == null || findings.hasFaults()) {
      return null;
    }
    return attempt(
        file,
        () ->
            new Profile(
                profileSlug, file.text("name", profileSlug.value()), rpsLimit, burstLimit, chains));
  }

  private void requireConsistentLimits(Fields file, int rpsLimit, int burstLimit) {
    Checked burst = file.byName().get("burst_limit");
    if (burst != null && (rpsLimit == 0) != (burstLimit == 0)) {
      findings.fault(
          Code.CONFLICT,
          burst.place(),
          burst.path(),
          "rps_limit and burst_limit must both be 0 (no limit) or neither");
    }
  }

  private void requireNoCollisions(Fields chains) {
    Map<Long, String> ids = new HashMap<>();
    Map<ChainName, String> names = new HashMap<>();
    chains
        .byName()
        .forEach(
            (key, value) -> {
              if (!(value instanceof Fields chain)) {
                return;
              }
              if (chain.byName().get("chain_id") instanceof Checked.Whole id) {
                String first = ids.putIfAbsent(id.value(), key);
                if (first != null) {
                  findings.fault(
                      Code.CONFLICT,
                      id.place(),
                      id.path(),
                      Long.toString(id.value()),
                      "is the chain_id of '" + first + "' already");
                }
              }
              requireNewName(chain, key, key, names);
              for (Word alias : chain.words("aliases")) {
                requireNewName(alias, alias.text(), key, names);
              }
            });
  }

  private void requireNewName(
      Checked where, String text, String owner, Map<ChainName, String> names) {
    ChainName name = attempt(where, () -> ChainName.of(text));
    String first = name == null ? null : names.putIfAbsent(name, owner);
    if (first != null) {
      findings.fault(
          Code.CONFLICT,
          where.place(),
          where.path(),
          text,
          "is a name or alias of '" + first + "' already");
    }
  }

  private @Nullable ChainProfile chain(String key, Fields chain, @Nullable ProfileSlug profile) {
    Long id = chain.number("chain_id");
    ChainId chainId = id == null ? null : ChainId.of(id);
    List<Provider> built = providers.build(chain, chainId, profile);
    requireKnownProviders(chain);
    if (chainId == null || findings.hasFaults()) {
      return null;
    }
    return attempt(
        chain,
        () ->
            new ChainProfile(
                chainId,
                ChainName.of(key),
                chain.text("name", key),
                chain.number("block_time_ms", ChainProfile.DEFAULT_BLOCK_TIME_MS),
                chain.words("aliases").stream().map(Word::text).map(ChainName::of).toList(),
                monitoring(chain.fields("monitoring")),
                selection(chain.fields("selection")),
                webSocket(chain.fields("websocket")),
                subscription(chain.fields("subscription")),
                routing(chain.fields("routing")),
                methods(chain.fields("methods")),
                built));
  }

  private void requireKnownProviders(Fields chain) {
    Set<String> known =
        chain.items("providers").stream()
            .filter(Fields.class::isInstance)
            .map(Fields.class::cast)
            .map(provider -> provider.text("id", ""))
            .collect(Collectors.toSet());
    Map<String, Checked> overrides = chain.fields("routing").fields("method_overrides").byName();
    for (Checked override : overrides.values()) {
      if (override instanceof Fields fields) {
        for (Word provider : fields.words("providers")) {
          if (!known.contains(provider.text())) {
            findings.fault(
                Code.UNKNOWN_REFERENCE,
                provider.place(),
                provider.path(),
                provider.text(),
                "must be the id of a provider of this chain",
                Nearest.of(provider.text(), known));
          }
        }
      }
    }
  }

  private static Monitoring monitoring(Fields fields) {
    Monitoring standard = Monitoring.DEFAULT;
    return new Monitoring(
        fields.number("probe_interval_ms", standard.probeIntervalMs()),
        fields.number("lag_alert_threshold_blocks", standard.lagAlertThresholdBlocks()));
  }

  private static Selection selection(Fields fields) {
    Selection standard = Selection.DEFAULT;
    return new Selection(
        fields.number("max_lag_blocks", standard.maxLagBlocks()),
        fields.number("archival_threshold", standard.archivalThreshold()),
        constant(
            OnAllLagging.values(),
            OnAllLagging::word,
            fields.text("on_all_lagging", standard.onAllLagging().word())));
  }

  private static WebSocketSettings webSocket(Fields fields) {
    WebSocketSettings standard = WebSocketSettings.DEFAULT;
    return new WebSocketSettings(
        fields.flag("subscribe_new_heads", standard.subscribeNewHeads()),
        fields.number("new_heads_timeout_ms", standard.newHeadsTimeoutMs()));
  }

  private static SubscriptionSettings subscription(Fields fields) {
    SubscriptionSettings standard = SubscriptionSettings.DEFAULT;
    return new SubscriptionSettings(
        fields.number("max_backfill_blocks", standard.maxBackfillBlocks()),
        fields.number("backfill_timeout", standard.backfillTimeoutMs()),
        constant(
            ContinuityPolicy.values(),
            ContinuityPolicy::word,
            fields.text("continuity_policy", standard.continuityPolicy().word())),
        fields.number("dedupe_max_items", standard.dedupeMaxItems()),
        fields.number("dedupe_max_age_ms", standard.dedupeMaxAgeMs()),
        fields.number("max_failover_attempts", standard.maxFailoverAttempts()),
        fields.number("failover_cooldown_ms", standard.failoverCooldownMs()),
        fields.number("max_event_buffer", standard.maxEventBuffer()));
  }

  private static RoutingSettings routing(Fields fields) {
    RoutingSettings standard = RoutingSettings.DEFAULT;
    Map<String, MethodOverride> overrides = new LinkedHashMap<>();
    fields
        .fields("method_overrides")
        .byName()
        .forEach(
            (method, value) -> {
              if (value instanceof Fields override) {
                Word strategy = override.word("strategy");
                overrides.put(
                    method,
                    new MethodOverride(
                        strategy == null ? null : StrategyName.parse(strategy.text()),
                        override.words("providers").stream()
                            .map(Word::text)
                            .map(ProviderId::of)
                            .toList(),
                        override.byName().containsKey("hedge")
                            ? hedge(override.fields("hedge"))
                            : null));
              }
            });
    return RoutingSettings.of(
        StrategyName.parse(fields.text("default_strategy", standard.defaultStrategy().word())),
        overrides,
        fields.flag("recheck_null", standard.recheckNull()),
        hedge(fields.fields("hedge")),
        fields.number("broadcast", standard.broadcast()));
  }

  private static Hedge hedge(Fields fields) {
    Hedge.After after =
        fields.byName().get("after") instanceof Checked.Whole fixed
            ? new Hedge.After.Fixed(Math.toIntExact(fixed.value()))
            : new Hedge.After.UsualLatency();
    return new Hedge(after, fields.number("max", Hedge.DEFAULT.max()));
  }

  private static MethodAccess methods(Fields fields) {
    return new MethodAccess(patterns(fields, "allow"), patterns(fields, "deny"));
  }

  static List<MethodPattern> patterns(Fields fields, String key) {
    return fields.words(key).stream().map(Word::text).map(MethodPattern::of).toList();
  }

  /** The constant that the file writes as the word; the word was checked before. */
  static <T extends Enum<T>> T constant(T[] constants, Function<T, String> word, String text) {
    for (T constant : constants) {
      if (word.apply(constant).equals(text)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("unknown word '" + text + "'");
  }

  /** The domain has the last word: what it refuses becomes a fault at the place. */
  private <T> @Nullable T attempt(Checked where, Supplier<T> construction) {
    return attempt(findings, where, construction);
  }

  static <T> @Nullable T attempt(Findings findings, Checked where, Supplier<T> construction) {
    try {
      return construction.get();
    } catch (IllegalArgumentException e) {
      findings.fault(Code.MALFORMED, where.place(), where.path(), String.valueOf(e.getMessage()));
      return null;
    }
  }
}
