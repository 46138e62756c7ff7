package dev.lasso.schemas;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.ErrorRuleSpec;
import dev.lasso.routing.profile.MethodPattern;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.ProviderLimits;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.Templated;
import dev.lasso.schemas.avro.ErrorClassSymbol;
import dev.lasso.schemas.avro.ErrorRuleRecord;
import dev.lasso.schemas.avro.HeaderRecord;
import dev.lasso.schemas.avro.ProviderLimitsRecord;
import dev.lasso.schemas.avro.ProviderRecord;
import dev.lasso.schemas.avro.SharingSymbol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A provider within the value of topic {@code profiles}. */
final class ProviderMapping {
  private ProviderMapping() {}

  static ProviderRecord toAvro(Provider provider) {
    Capabilities capabilities = provider.capabilities();
    return ProviderRecord.newBuilder()
        .setId(provider.id().value())
        .setName(provider.name())
        .setUrl(sourceOrNull(provider.url()))
        .setWsUrl(sourceOrNull(provider.wsUrl()))
        .setPriority(provider.priority())
        .setArchival(provider.archival())
        .setSubscribeNewHeads(provider.subscribeNewHeads())
        .setHeaders(headers(provider.headers()))
        .setApiKey(sourceOrNull(provider.apiKey()))
        .setSharing(Wire.symbol(SharingSymbol.class, provider.sharing()))
        .setUnsupportedMethods(Wire.list(capabilities.unsupportedMethods(), MethodPattern::text))
        .setUnsupportedCategories(capabilities.unsupportedCategories())
        .setLimits(limits(capabilities.limits()))
        .setErrorRules(Wire.list(capabilities.errorRules(), ProviderMapping::errorRule))
        .build();
  }

  static Provider toDomain(ProviderRecord provider) {
    return new Provider(
        ProviderId.of(provider.getId()),
        provider.getName(),
        templateOrNull(provider.getUrl()),
        templateOrNull(provider.getWsUrl()),
        provider.getPriority(),
        provider.getArchival(),
        provider.getSubscribeNewHeads(),
        toHeaders(provider.getHeaders()),
        templateOrNull(provider.getApiKey()),
        Wire.constant(Sharing.class, provider.getSharing()),
        new Capabilities(
            Wire.list(provider.getUnsupportedMethods(), MethodPattern::of),
            provider.getUnsupportedCategories(),
            toLimits(provider.getLimits()),
            Wire.list(provider.getErrorRules(), ProviderMapping::toErrorRule)));
  }

  private static @Nullable String sourceOrNull(@Nullable Templated template) {
    return template == null ? null : template.source();
  }

  private static @Nullable Templated templateOrNull(@Nullable String source) {
    return source == null ? null : Templated.parse(source);
  }

  private static List<HeaderRecord> headers(Map<String, Templated> headers) {
    List<HeaderRecord> records = new ArrayList<>();
    headers.forEach((name, value) -> records.add(new HeaderRecord(name, value.source())));
    return records;
  }

  private static Map<String, Templated> toHeaders(List<HeaderRecord> records) {
    Map<String, Templated> headers = new TreeMap<>();
    for (HeaderRecord each : records) {
      headers.put(each.getName(), Templated.parse(each.getValue()));
    }
    return headers;
  }

  private static ProviderLimitsRecord limits(ProviderLimits limits) {
    return new ProviderLimitsRecord(
        limits.maxBlockRange(),
        limits.maxBlockAge(),
        Wire.list(limits.blockAgeMethods(), MethodPattern::text));
  }

  private static ProviderLimits toLimits(ProviderLimitsRecord limits) {
    return new ProviderLimits(
        limits.getMaxBlockRange(),
        limits.getMaxBlockAge(),
        Wire.list(limits.getBlockAgeMethods(), MethodPattern::of));
  }

  private static ErrorRuleRecord errorRule(ErrorRuleSpec rule) {
    return new ErrorRuleRecord(
        List.copyOf(rule.codes()),
        rule.messageContains(),
        rule.httpStatus(),
        Wire.symbol(ErrorClassSymbol.class, rule.errorClass()));
  }

  private static ErrorRuleSpec toErrorRule(ErrorRuleRecord rule) {
    return new ErrorRuleSpec(
        Set.copyOf(rule.getCodes()),
        rule.getMessageContains(),
        rule.getHttpStatus(),
        Wire.constant(ErrorClass.class, rule.getErrorClass()));
  }
}
