package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.profile.MethodAccess;
import dev.lasso.routing.profile.MethodOverride;
import dev.lasso.routing.profile.MethodPattern;
import dev.lasso.routing.profile.Monitoring;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.profile.Selection;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.routing.profile.WebSocketSettings;
import dev.lasso.schemas.avro.ChainProfileRecord;
import dev.lasso.schemas.avro.ContinuityPolicySymbol;
import dev.lasso.schemas.avro.HedgeRecord;
import dev.lasso.schemas.avro.MethodOverrideRecord;
import dev.lasso.schemas.avro.OnAllLaggingSymbol;
import dev.lasso.schemas.avro.StrategySymbol;
import dev.lasso.schemas.avro.SubscriptionSettingsRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/** A chain within the value of topic {@code profiles}. */
final class ChainProfileMapping {
  private ChainProfileMapping() {}

  static ChainProfileRecord toAvro(ChainProfile chain) {
    RoutingSettings routing = chain.routing();
    return ChainProfileRecord.newBuilder()
        .setChainId(chain.chainId().value())
        .setKey(chain.key().value())
        .setName(chain.name())
        .setBlockTimeMs(chain.blockTimeMs())
        .setAliases(Wire.list(chain.aliases(), ChainName::value))
        .setProbeIntervalMs(chain.monitoring().probeIntervalMs())
        .setLagAlertThresholdBlocks(chain.monitoring().lagAlertThresholdBlocks())
        .setMaxLagBlocks(chain.selection().maxLagBlocks())
        .setArchivalThreshold(chain.selection().archivalThreshold())
        .setOnAllLagging(Wire.symbol(OnAllLaggingSymbol.class, chain.selection().onAllLagging()))
        .setSubscribeNewHeads(chain.webSocket().subscribeNewHeads())
        .setNewHeadsTimeoutMs(chain.webSocket().newHeadsTimeoutMs())
        .setSubscription(subscription(chain.subscription()))
        .setDefaultStrategy(Wire.symbol(StrategySymbol.class, routing.defaultStrategy()))
        .setMethodOverrides(overrides(routing.methodOverrides()))
        .setRecheckNull(routing.recheckNull())
        .setHedge(hedge(routing.hedge()))
        .setBroadcast(routing.broadcast())
        .setAllowedMethods(Wire.list(chain.methods().allow(), MethodPattern::text))
        .setDeniedMethods(Wire.list(chain.methods().deny(), MethodPattern::text))
        .setProviders(Wire.list(chain.providers(), ProviderMapping::toAvro))
        .build();
  }

  static ChainProfile toDomain(ChainProfileRecord chain) {
    return new ChainProfile(
        ChainId.of(chain.getChainId()),
        ChainName.of(chain.getKey()),
        chain.getName(),
        chain.getBlockTimeMs(),
        Wire.list(chain.getAliases(), ChainName::of),
        new Monitoring(chain.getProbeIntervalMs(), chain.getLagAlertThresholdBlocks()),
        new Selection(
            chain.getMaxLagBlocks(),
            chain.getArchivalThreshold(),
            Wire.constant(Selection.OnAllLagging.class, chain.getOnAllLagging())),
        new WebSocketSettings(chain.getSubscribeNewHeads(), chain.getNewHeadsTimeoutMs()),
        toSubscription(chain.getSubscription()),
        new RoutingSettings(
            Wire.constant(StrategyName.class, chain.getDefaultStrategy()),
            toOverrides(chain.getMethodOverrides()),
            chain.getRecheckNull(),
            toHedge(chain.getHedge()),
            chain.getBroadcast()),
        new MethodAccess(
            Wire.list(chain.getAllowedMethods(), MethodPattern::of),
            Wire.list(chain.getDeniedMethods(), MethodPattern::of)),
        Wire.list(chain.getProviders(), ProviderMapping::toDomain));
  }

  private static SubscriptionSettingsRecord subscription(SubscriptionSettings settings) {
    return SubscriptionSettingsRecord.newBuilder()
        .setMaxBackfillBlocks(settings.maxBackfillBlocks())
        .setBackfillTimeoutMs(settings.backfillTimeoutMs())
        .setContinuityPolicy(Wire.symbol(ContinuityPolicySymbol.class, settings.continuityPolicy()))
        .setDedupeMaxItems(settings.dedupeMaxItems())
        .setDedupeMaxAgeMs(settings.dedupeMaxAgeMs())
        .setMaxFailoverAttempts(settings.maxFailoverAttempts())
        .setFailoverCooldownMs(settings.failoverCooldownMs())
        .setMaxEventBuffer(settings.maxEventBuffer())
        .build();
  }

  private static SubscriptionSettings toSubscription(SubscriptionSettingsRecord settings) {
    return new SubscriptionSettings(
        settings.getMaxBackfillBlocks(),
        settings.getBackfillTimeoutMs(),
        Wire.constant(SubscriptionSettings.ContinuityPolicy.class, settings.getContinuityPolicy()),
        settings.getDedupeMaxItems(),
        settings.getDedupeMaxAgeMs(),
        settings.getMaxFailoverAttempts(),
        settings.getFailoverCooldownMs(),
        settings.getMaxEventBuffer());
  }

  private static List<MethodOverrideRecord> overrides(
      SequencedMap<String, MethodOverride> overrides) {
    List<MethodOverrideRecord> records = new ArrayList<>();
    overrides.forEach(
        (method, override) -> {
          StrategyName strategy = override.strategy();
          Hedge hedge = override.hedge();
          records.add(
              new MethodOverrideRecord(
                  method,
                  strategy == null ? null : Wire.symbol(StrategySymbol.class, strategy),
                  Wire.list(override.providers(), ProviderId::value),
                  hedge == null ? null : hedge(hedge)));
        });
    return records;
  }

  private static SequencedMap<String, MethodOverride> toOverrides(
      List<MethodOverrideRecord> records) {
    SequencedMap<String, MethodOverride> overrides = new TreeMap<>();
    for (MethodOverrideRecord each : records) {
      StrategySymbol strategy = each.getStrategy();
      HedgeRecord hedge = each.getHedge();
      overrides.put(
          each.getMethod(),
          new MethodOverride(
              strategy == null ? null : Wire.constant(StrategyName.class, strategy),
              Wire.list(each.getProviders(), ProviderId::of),
              hedge == null ? null : toHedge(hedge)));
    }
    return overrides;
  }

  private static HedgeRecord hedge(Hedge hedge) {
    return switch (hedge.after()) {
      case Hedge.After.UsualLatency() -> new HedgeRecord(null, hedge.max());
      case Hedge.After.Fixed(int delayMs) -> new HedgeRecord(delayMs, hedge.max());
    };
  }

  private static Hedge toHedge(HedgeRecord hedge) {
    Integer afterMs = hedge.getAfterMs();
    return new Hedge(
        afterMs == null ? new Hedge.After.UsualLatency() : new Hedge.After.Fixed(afterMs),
        hedge.getMax());
  }
}
