package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.ErrorRuleSpec;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.profile.MethodAccess;
import dev.lasso.routing.profile.MethodOverride;
import dev.lasso.routing.profile.MethodPattern;
import dev.lasso.routing.profile.Monitoring;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.ProviderLimits;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.profile.Selection;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.routing.profile.Templated;
import dev.lasso.routing.profile.WebSocketSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Valid profiles drawn from a seeded generator. */
final class RandomProfiles {
  private final RandomGenerator random;
  private final RandomValues values;

  RandomProfiles(RandomGenerator random, RandomValues values) {
    this.random = random;
    this.values = values;
  }

  Profile profile() {
    List<ChainProfile> chains = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      chains.add(chain(i));
    }
    boolean limited = random.nextBoolean();
    return new Profile(
        ProfileSlug.of("slug-" + random.nextInt(9)),
        "a name",
        limited ? 1 + random.nextInt(1_000) : 0,
        limited ? 1 + random.nextInt(1_000) : 0,
        chains);
  }

  private ChainProfile chain(int number) {
    List<Provider> providers = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      providers.add(provider(i));
    }
    return new ChainProfile(
        ChainId.of(number),
        ChainName.of("chain" + number),
        "Chain 🎉",
        1 + random.nextInt(60_000),
        random.nextBoolean() ? List.of() : List.of(ChainName.of("alias" + number)),
        new Monitoring(100 + random.nextInt(60_000), 1 + random.nextInt(50)),
        new Selection(
            random.nextInt(50), random.nextInt(500), values.oneOf(Selection.OnAllLagging.values())),
        new WebSocketSettings(random.nextBoolean(), 1_000 + random.nextInt(60_000)),
        subscription(),
        routing(providers),
        new MethodAccess(patterns(), patterns()),
        providers);
  }

  private SubscriptionSettings subscription() {
    return new SubscriptionSettings(
        random.nextInt(1_000),
        100 + random.nextInt(60_000),
        values.oneOf(SubscriptionSettings.ContinuityPolicy.values()),
        1 + random.nextInt(1_000),
        1 + random.nextInt(60_000),
        1 + random.nextInt(10),
        1 + random.nextInt(60_000),
        1 + random.nextInt(1_000));
  }

  private RoutingSettings routing(List<Provider> providers) {
    ProviderId first = providers.getFirst().id();
    Map<String, MethodOverride> overrides =
        random.nextBoolean()
            ? Map.of()
            : Map.of(
                "eth_getLogs", new MethodOverride(StrategyName.FASTEST, List.of(), null),
                "eth_call", new MethodOverride(null, List.of(first), hedge()),
                "eth_getBalance", new MethodOverride(StrategyName.PRIORITY, List.of(first), null),
                "eth_getCode", new MethodOverride(null, List.of(), hedge()));
    return RoutingSettings.of(
        values.oneOf(StrategyName.values()),
        overrides,
        random.nextBoolean(),
        hedge(),
        1 + random.nextInt(16));
  }

  private Hedge hedge() {
    Hedge.After after =
        random.nextBoolean()
            ? new Hedge.After.UsualLatency()
            : new Hedge.After.Fixed(1 + random.nextInt(60_000));
    return new Hedge(after, random.nextInt(4));
  }

  private Provider provider(int number) {
    boolean http = random.nextBoolean();
    Map<String, Templated> headers =
        random.nextBoolean() ? Map.of() : Map.of("x-key", Templated.parse("${KEY:-none} $${raw}"));
    return new Provider(
        ProviderId.of("provider" + number),
        "Provider " + number,
        http ? Templated.parse("https://node.example/v2/${NODE_KEY}") : null,
        http && random.nextBoolean() ? null : Templated.parse("wss://node.example/${NODE_KEY}"),
        random.nextInt(1_000),
        random.nextBoolean(),
        random.nextBoolean(),
        headers,
        random.nextBoolean() ? null : Templated.parse("${API_KEY}"),
        values.oneOf(Sharing.values()),
        capabilities());
  }

  private Capabilities capabilities() {
    return new Capabilities(
        patterns(),
        random.nextBoolean() ? List.of() : List.of("debug", "trace"),
        new ProviderLimits(blocks(), blocks(), patterns()),
        values.list(
            () ->
                new ErrorRuleSpec(
                    random.nextBoolean() ? Set.of() : Set.of(-32_000, random.nextInt(100)),
                    List.of("too many", "ümlaut"),
                    random.nextBoolean() ? null : 100 + random.nextInt(500),
                    values.oneOf(ErrorClass.values()))));
  }

  private @Nullable Long blocks() {
    return random.nextBoolean() ? null : 1 + random.nextLong(Long.MAX_VALUE - 1);
  }

  private List<MethodPattern> patterns() {
    return values.list(
        () -> MethodPattern.of(random.nextBoolean() ? "debug_*" : "eth_m" + random.nextInt(9)));
  }
}
