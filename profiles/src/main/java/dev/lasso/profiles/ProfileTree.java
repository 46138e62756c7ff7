package dev.lasso.profiles;

import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.ErrorRuleSpec;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.profile.MethodPattern;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.profile.SubscriptionSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A profile as the tree that a file holds: mappings, lists and single values, every setting written
 * out, keys in the order of the reference page.
 */
final class ProfileTree {
  private final SecretText secrets;

  private ProfileTree(SecretText secrets) {
    this.secrets = secrets;
  }

  static SequencedMap<String, Object> of(Profile profile, SecretText secrets) {
    ProfileTree writer = new ProfileTree(secrets);
    Fields chains = new Fields();
    profile.chains().forEach(chain -> chains.put(chain.key().value(), writer.chain(chain)));
    return new Fields()
        .put("name", profile.name())
        .put("slug", profile.slug().value())
        .put("rps_limit", profile.rpsLimit())
        .put("burst_limit", profile.burstLimit())
        .put("chains", chains)
        .map;
  }

  private Fields chain(ChainProfile chain) {
    return new Fields()
        .put("chain_id", chain.chainId().value())
        .put("name", chain.name())
        .put("block_time_ms", chain.blockTimeMs())
        .put("aliases", chain.aliases().stream().map(ChainName::value).toList())
        .put(
            "monitoring",
            new Fields()
                .put("probe_interval_ms", chain.monitoring().probeIntervalMs())
                .put("lag_alert_threshold_blocks", chain.monitoring().lagAlertThresholdBlocks()))
        .put(
            "selection",
            new Fields()
                .put("max_lag_blocks", chain.selection().maxLagBlocks())
                .put("archival_threshold", chain.selection().archivalThreshold())
                .put("on_all_lagging", chain.selection().onAllLagging().word()))
        .put(
            "websocket",
            new Fields()
                .put("subscribe_new_heads", chain.webSocket().subscribeNewHeads())
                .put("new_heads_timeout_ms", chain.webSocket().newHeadsTimeoutMs()))
        .put("subscription", subscription(chain.subscription()))
        .put("routing", routing(chain.routing()))
        .put(
            "methods",
            new Fields()
                .put("allow", patterns(chain.methods().allow()))
                .put("deny", patterns(chain.methods().deny())))
        .put("providers", chain.providers().stream().map(this::provider).toList());
  }

  private static Fields subscription(SubscriptionSettings settings) {
    return new Fields()
        .put("max_backfill_blocks", settings.maxBackfillBlocks())
        .put("backfill_timeout", settings.backfillTimeoutMs())
        .put("continuity_policy", settings.continuityPolicy().word())
        .put("dedupe_max_items", settings.dedupeMaxItems())
        .put("dedupe_max_age_ms", settings.dedupeMaxAgeMs())
        .put("max_failover_attempts", settings.maxFailoverAttempts())
        .put("failover_cooldown_ms", settings.failoverCooldownMs())
        .put("max_event_buffer", settings.maxEventBuffer());
  }

  private static Fields routing(RoutingSettings settings) {
    Fields overrides = new Fields();
    settings
        .methodOverrides()
        .forEach(
            (method, override) -> {
              StrategyName strategy = override.strategy();
              Hedge hedge = override.hedge();
              overrides.put(
                  method,
                  new Fields()
                      .put("strategy", strategy == null ? null : strategy.word())
                      .putUnlessEmpty(
                          "providers",
                          override.providers().stream().map(ProviderId::value).toList())
                      .put("hedge", hedge == null ? null : hedge(hedge)));
            });
    return new Fields()
        .put("default_strategy", settings.defaultStrategy().word())
        .put("method_overrides", overrides)
        .put("recheck_null", settings.recheckNull())
        .put("hedge", hedge(settings.hedge()))
        .put("broadcast", settings.broadcast());
  }

  private static Fields hedge(Hedge hedge) {
    Object after =
        switch (hedge.after()) {
          case Hedge.After.UsualLatency() -> "p95";
          case Hedge.After.Fixed(int delayMs) -> delayMs;
        };
    return new Fields().put("after", after).put("max", hedge.max());
  }

  private Fields provider(Provider provider) {
    Fields headers = new Fields();
    provider
        .headers()
        .forEach((header, value) -> headers.put(header, secrets.header(header, value)));
    return new Fields()
        .put("id", provider.id().value())
        .put("name", provider.name())
        .put("url", provider.url() == null ? null : secrets.url(provider.url()))
        .put("ws_url", provider.wsUrl() == null ? null : secrets.url(provider.wsUrl()))
        .put("priority", provider.priority())
        .put("archival", provider.archival())
        .put("subscribe_new_heads", provider.subscribeNewHeads())
        .put("headers", headers)
        .put(
            "api_key",
            provider.apiKey() == null ? null : secrets.header("api_key", provider.apiKey()))
        .put("sharing", provider.sharing().word())
        .put("capabilities", capabilities(provider.capabilities()));
  }

  private static Fields capabilities(Capabilities capabilities) {
    return new Fields()
        .put("unsupported_methods", patterns(capabilities.unsupportedMethods()))
        .put("unsupported_categories", capabilities.unsupportedCategories())
        .put(
            "limits",
            new Fields()
                .put("max_block_range", capabilities.limits().maxBlockRange())
                .put("max_block_age", capabilities.limits().maxBlockAge())
                .put("block_age_methods", patterns(capabilities.limits().blockAgeMethods())))
        .put(
            "error_rules", capabilities.errorRules().stream().map(ProfileTree::errorRule).toList());
  }

  private static Fields errorRule(ErrorRuleSpec rule) {
    return new Fields()
        .putUnlessEmpty("code", List.copyOf(rule.codes()))
        .putUnlessEmpty("message_contains", rule.messageContains())
        .put("http_status", rule.httpStatus())
        .put("category", rule.errorClass().word());
  }

  private static List<String> patterns(List<MethodPattern> patterns) {
    return patterns.stream().map(MethodPattern::text).toList();
  }

  /** A mapping under construction; what is null is left out. */
  private static final class Fields {
    private final SequencedMap<String, Object> map = new LinkedHashMap<>();

    Fields put(String key, @Nullable Object value) {
      switch (value) {
        case null -> {}
        case Fields fields -> map.put(key, fields.map);
        case List<?> list -> {
          List<Object> items = new ArrayList<>();
          for (Object item : list) {
            items.add(item instanceof Fields fields ? fields.map : item);
          }
          map.put(key, items);
        }
        default -> map.put(key, value);
      }
      return this;
    }

    Fields putUnlessEmpty(String key, List<?> value) {
      return value.isEmpty() ? this : put(key, value);
    }
  }
}
