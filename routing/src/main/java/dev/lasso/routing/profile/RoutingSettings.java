package dev.lasso.routing.profile;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import java.util.Collections;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of a chain are routed.
 *
 * @param defaultStrategy ranks candidates where neither URL nor override names a strategy
 * @param methodOverrides by exact method name
 * @param recheckNull whether a {@code null} for something that another provider may have is asked
 *     again once
 * @param hedge parallel second attempts for reads whose method has no rule of its own
 * @param broadcast providers that a raw transaction is sent to at once, 1 to 16
 */
public record RoutingSettings(
    StrategyName defaultStrategy,
    SequencedMap<String, MethodOverride> methodOverrides,
    boolean recheckNull,
    Hedge hedge,
    int broadcast) {
  public static final RoutingSettings DEFAULT =
      new RoutingSettings(StrategyName.LOAD_BALANCED, new TreeMap<>(), true, Hedge.DEFAULT, 1);

  public RoutingSettings {
    methodOverrides =
        Collections.unmodifiableSequencedMap(new TreeMap<String, MethodOverride>(methodOverrides));
    Require.between("broadcast", broadcast, 1, 16);
  }

  /**
   * The strategy that ranks a request.
   *
   * @param asked what the request itself names, or null
   */
  public StrategyName strategy(@Nullable StrategyName asked, String method) {
    if (asked != null) {
      return asked;
    }
    MethodOverride override = methodOverrides.get(method);
    return override == null || override.strategy() == null ? defaultStrategy : override.strategy();
  }

  /**
   * The providers that a request may go to; empty for all.
   *
   * @param asked the only one that the request itself allows, or null
   */
  public Set<ProviderId> providers(@Nullable ProviderId asked, String method) {
    if (asked != null) {
      return Set.of(asked);
    }
    MethodOverride override = methodOverrides.get(method);
    return override == null ? Set.of() : Set.copyOf(override.providers());
  }

  /** When a second attempt runs beside a slow first one for a method. */
  public Hedge hedge(String method) {
    MethodOverride override = methodOverrides.get(method);
    return override == null || override.hedge() == null ? hedge : override.hedge();
  }

  /** Convenience for callers with any map. */
  public static RoutingSettings of(
      StrategyName defaultStrategy,
      Map<String, MethodOverride> methodOverrides,
      boolean recheckNull,
      Hedge hedge,
      int broadcast) {
    return new RoutingSettings(
        defaultStrategy, new TreeMap<>(methodOverrides), recheckNull, hedge, broadcast);
  }
}
