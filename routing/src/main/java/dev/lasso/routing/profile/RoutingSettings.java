package dev.lasso.routing.profile;

import dev.lasso.routing.StrategyName;
import java.util.Collections;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

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
