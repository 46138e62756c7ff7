package dev.lasso.routing.profile;

import java.util.List;

/**
 * What a provider can't do, as far as its profile knows; what is learned at run time comes on top.
 *
 * @param unsupportedMethods methods it does not serve
 * @param unsupportedCategories method categories it does not serve, as the method table names them
 * @param limits block ranges and ages it refuses
 * @param errorRules its own errors, first match wins
 */
public record Capabilities(
    List<MethodPattern> unsupportedMethods,
    List<String> unsupportedCategories,
    ProviderLimits limits,
    List<ErrorRuleSpec> errorRules) {
  /** Serves everything, as far as known. */
  public static final Capabilities ALL =
      new Capabilities(List.of(), List.of(), ProviderLimits.NONE, List.of());

  public Capabilities {
    unsupportedMethods = List.copyOf(unsupportedMethods);
    unsupportedCategories = List.copyOf(unsupportedCategories);
    unsupportedCategories.forEach(word -> Require.notBlank("unsupported_categories", word));
    errorRules = List.copyOf(errorRules);
  }
}
