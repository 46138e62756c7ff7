package dev.lasso.profiles;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.facts.MethodCategory;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Draws valid profiles, odd ones included. Used by one thread. */
final class RandomProfiles {
  /** Texts that YAML likes to read as something else. */
  private static final List<String> ODD_TEXTS =
      List.of(
          "no",
          "0123",
          "1e3",
          "12:30",
          "null",
          "~",
          "true",
          "- a",
          "a: b",
          "#c",
          "'q'",
          "\"d\"",
          "é ☃",
          "two\nlines",
          " lead",
          "trail ",
          "<<",
          "$5 of $X",
          "{a}",
          "[b]",
          "*",
          "&x",
          "!t",
          "\t",
          ".inf");

  private static final List<String> PHRASES =
      List.of("upgrade your plan", "limit of #", "^ too/very large $", "range * blocks", "no");

  private final RandomGenerator random;

  RandomProfiles(RandomGenerator random) {
    this.random = random;
  }

  Profile next() {
    int rps = random.nextInt(0, 3);
    return new Profile(
        ProfileSlug.of(name("slug")),
        text(),
        rps,
        rps == 0 ? 0 : random.nextInt(1, 1000),
        list(1, 3, this::chain));
  }

  private ChainProfile chain(int index) {
    List<Provider> providers = list(1, 4, this::provider);
    return new ChainProfile(
        ChainId.of(random.nextLong(1, 1L << 50) * 4 + index),
        ChainName.of(name("chain" + index)),
        text(),
        random.nextInt(1, 60_000),
        list(0, 2, i -> ChainName.of("alias-" + index + "-" + i)),
        new Monitoring(random.nextInt(100, 60_000), random.nextInt(1, 100)),
        new Selection(
            random.nextInt(0, 100), random.nextInt(0, 1000), any(Selection.OnAllLagging.values())),
        new WebSocketSettings(random.nextBoolean(), random.nextInt(1_000, 60_000)),
        new SubscriptionSettings(
            random.nextInt(0, 100),
            random.nextInt(100, 1000),
            any(SubscriptionSettings.ContinuityPolicy.values()),
            random.nextInt(1, 1000),
            random.nextInt(1, 1000),
            random.nextInt(1, 10),
            random.nextInt(1, 1000),
            random.nextInt(1, 1000)),
        routing(providers),
        new MethodAccess(patterns(), patterns()),
        providers);
  }

  private RoutingSettings routing(List<Provider> providers) {
    Map<String, MethodOverride> overrides = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      boolean some = random.nextBoolean();
      overrides.put(
          "eth_method" + i,
          new MethodOverride(
              some && random.nextBoolean() ? null : any(StrategyName.values()),
              some ? List.of(providers.get(random.nextInt(providers.size())).id()) : List.of(),
              random.nextBoolean() ? null : hedge()));
    }
    return RoutingSettings.of(
        any(StrategyName.values()),
        overrides,
        random.nextBoolean(),
        hedge(),
        random.nextInt(1, 17));
  }

  private Hedge hedge() {
    Hedge.After after =
        random.nextBoolean()
            ? new Hedge.After.UsualLatency()
            : new Hedge.After.Fixed(random.nextInt(1, 60_000));
    return new Hedge(after, random.nextInt(0, 4));
  }

  private Provider provider(int index) {
    boolean http = random.nextBoolean();
    Map<String, Templated> headers = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      headers.put("x-header-" + i, secret());
    }
    return new Provider(
        ProviderId.of(name("provider" + index)),
        text(),
        http ? url("https") : null,
        !http || random.nextBoolean() ? url("wss") : null,
        random.nextInt(0, 1000),
        random.nextBoolean(),
        random.nextBoolean(),
        headers,
        random.nextBoolean() ? secret() : null,
        any(Sharing.values()),
        capabilities());
  }

  private Capabilities capabilities() {
    return new Capabilities(
        patterns(),
        list(0, 2, _ -> any(MethodCategory.values()).word()),
        new ProviderLimits(
            maybe(random.nextLong(1, Long.MAX_VALUE)),
            maybe(random.nextLong(0, Long.MAX_VALUE)),
            patterns()),
        list(0, 2, _ -> errorRule()));
  }

  private ErrorRuleSpec errorRule() {
    List<Integer> codes = list(0, 3, _ -> random.nextInt());
    List<String> texts = list(0, 2, _ -> any(PHRASES));
    return new ErrorRuleSpec(
        new TreeSet<>(codes),
        texts,
        (codes.isEmpty() && texts.isEmpty()) || random.nextBoolean()
            ? Integer.valueOf(random.nextInt(100, 600))
            : null,
        any(ErrorClass.values()));
  }

  private List<MethodPattern> patterns() {
    return list(0, 3, i -> MethodPattern.of(i == 0 ? "debug_*" : "eth_m" + i));
  }

  private Templated url(String scheme) {
    return Templated.parse(
        scheme + "://" + any(List.of("node", "${HOST}", "a.${HOST}")) + ".example/" + path());
  }

  private String path() {
    return any(List.of("", "v2/${KEY}", "?k=${KEY:-none}&b=1", "a%20b/$${x}", "#".substring(1)));
  }

  private Templated secret() {
    return Templated.parse(any(List.of("${KEY}", "plain", "a: ${KEY:-b}", "#x", "'", "$${KEY}")));
  }

  private String name(String prefix) {
    return prefix + any(List.of("", ".a", "_b", "-c", "0"));
  }

  /** Text as a loaded profile can have it: references are replaced by then. */
  private String text() {
    return random.nextBoolean()
        ? any(ODD_TEXTS) + "x"
        : "text " + Long.toString(random.nextLong(), 36);
  }

  private @Nullable Long maybe(long value) {
    return random.nextBoolean() ? value : null;
  }

  private <T> List<T> list(int least, int most, IntFunction<T> element) {
    return new ArrayList<>(
        IntStream.range(0, random.nextInt(least, most + 1)).mapToObj(element).toList());
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private <T> T any(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
