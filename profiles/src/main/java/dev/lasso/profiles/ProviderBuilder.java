package dev.lasso.profiles;

import dev.lasso.profiles.Checked.Fields;
import dev.lasso.profiles.Checked.Word;
import dev.lasso.profiles.Finding.Code;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.profile.Capabilities;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.ErrorRuleSpec;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.ProviderLimits;
import dev.lasso.routing.profile.Resolution;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.Templated;
import dev.lasso.routing.profile.UpstreamUrl;
import dev.lasso.routing.profile.WebSocketSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns the checked providers of a chain into values. Used by one thread. */
final class ProviderBuilder {
  private final Findings findings;
  private final Environment environment;

  ProviderBuilder(Findings findings, Environment environment) {
    this.findings = findings;
    this.environment = environment;
  }

  /** The chain's providers, without those that a fault was found for. */
  List<Provider> build(Fields chain, @Nullable ChainId chainId, @Nullable ProfileSlug profile) {
    boolean newHeads =
        chain
            .fields("websocket")
            .flag("subscribe_new_heads", WebSocketSettings.DEFAULT.subscribeNewHeads());
    Set<String> ids = new HashSet<>();
    Map<InstanceId, String> instances = new HashMap<>();
    List<Provider> built = new ArrayList<>();
    for (Checked item : chain.items("providers")) {
      if (!(item instanceof Fields fields)) {
        continue;
      }
      requireNewId(fields, ids);
      boolean httpUsable = usableUrl(fields, "url", Transport.HTTP);
      boolean wsUsable = usableUrl(fields, "ws_url", Transport.WS);
      warnOfLiteralSecrets(fields);
      Provider provider = httpUsable && wsUsable ? provider(fields, newHeads) : null;
      if (provider != null) {
        built.add(provider);
        if (chainId != null && profile != null) {
          warnOfEqualUpstreams(fields, provider.resolve(chainId, profile, environment), instances);
        }
      }
    }
    return List.copyOf(built);
  }

  private void requireNewId(Fields fields, Set<String> ids) {
    Word id = fields.word("id");
    if (id != null && !ids.add(id.text())) {
      findings.fault(
          Code.CONFLICT,
          id.place(),
          id.path(),
          id.text(),
          "is the id of another provider of this chain already");
    }
  }

  private boolean usableUrl(Fields fields, String key, Transport transport) {
    Checked.Secret url = fields.secret(key);
    if (url == null) {
      return !fields.has(key);
    }
    if (!url.template().unresolvedIn(environment).isEmpty()) {
      return true;
    }
    try {
      return !UpstreamUrl.parse(transport, url.template().resolve(environment)).host().isEmpty();
    } catch (IllegalArgumentException e) {
      findings.fault(Code.MALFORMED, url.place(), url.path(), String.valueOf(e.getMessage()));
      return false;
    }
  }

  private @Nullable Provider provider(Fields fields, boolean newHeads) {
    Word id = fields.word("id");
    if (id == null || !(fields.has("url") || fields.has("ws_url"))) {
      return null;
    }
    Map<String, Templated> headers = new LinkedHashMap<>();
    fields
        .fields("headers")
        .byName()
        .forEach(
            (name, value) -> {
              if (value instanceof Checked.Secret header) {
                headers.put(name, header.template());
              }
            });
    Checked where = headers.isEmpty() ? fields : fields.fields("headers");
    return ProfileBuilder.attempt(
        findings,
        where,
        () ->
            new Provider(
                ProviderId.of(id.text()),
                fields.text("name", id.text()),
                fields.template("url"),
                fields.template("ws_url"),
                fields.number("priority", Provider.DEFAULT_PRIORITY),
                fields.flag("archival", true),
                fields.flag("subscribe_new_heads", newHeads),
                headers,
                fields.template("api_key"),
                ProfileBuilder.constant(
                    Sharing.values(), Sharing::word, fields.text("sharing", Sharing.SHARED.word())),
                capabilities(fields.fields("capabilities"))));
  }

  private Capabilities capabilities(Fields fields) {
    Fields limits = fields.fields("limits");
    List<ErrorRuleSpec> rules = new ArrayList<>();
    for (Checked item : fields.items("error_rules")) {
      if (item instanceof Fields rule) {
        ErrorRuleSpec spec = errorRule(rule);
        if (spec != null) {
          rules.add(spec);
        }
      }
    }
    return new Capabilities(
        ProfileBuilder.patterns(fields, "unsupported_methods"),
        fields.words("unsupported_categories").stream().map(Word::text).toList(),
        new ProviderLimits(
            limits.number("max_block_range"),
            limits.number("max_block_age"),
            ProfileBuilder.patterns(limits, "block_age_methods")),
        rules);
  }

  private @Nullable ErrorRuleSpec errorRule(Fields rule) {
    Word category = rule.word("category");
    Set<Integer> codes = new HashSet<>();
    for (Checked code : rule.items("code")) {
      if (code instanceof Checked.Whole number) {
        codes.add(Math.toIntExact(number.value()));
      }
    }
    List<String> texts = rule.words("message_contains").stream().map(Word::text).toList();
    Long status = rule.number("http_status");
    boolean empty = codes.isEmpty() && texts.isEmpty() && status == null;
    if (category == null || empty) {
      return null;
    }
    return ProfileBuilder.attempt(
        findings,
        rule,
        () ->
            new ErrorRuleSpec(
                codes,
                texts,
                status == null ? null : Math.toIntExact(status),
                ProfileBuilder.constant(ErrorClass.values(), ErrorClass::word, category.text())));
  }

  private void warnOfLiteralSecrets(Fields fields) {
    for (String key : List.of("url", "ws_url")) {
      Checked.Secret url = fields.secret(key);
      if (url != null && SecretScan.urlHasKey(url.template())) {
        literalSecret(url);
      }
    }
    Checked.Secret apiKey = fields.secret("api_key");
    if (apiKey != null && !apiKey.template().ownText().isBlank()) {
      literalSecret(apiKey);
    }
    for (Map.Entry<String, Checked> header : fields.fields("headers").byName().entrySet()) {
      if (header.getValue() instanceof Checked.Secret value
          && headerHasKey(header.getKey(), value.template())) {
        literalSecret(value);
      }
    }
  }

  private static boolean headerHasKey(String name, Templated value) {
    return SecretScan.looksLikeKey(value.ownText()) || (value.isLiteral() && credentialName(name));
  }

  private static boolean credentialName(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return name.contains("auth")
        || name.contains("key")
        || name.contains("token")
        || name.contains("secret")
        || name.contains("cookie");
  }

  private void literalSecret(Checked.Secret secret) {
    findings.warning(
        Code.LITERAL_SECRET,
        secret.place(),
        secret.path(),
        "seems to have a key written out, which everybody who reads the profiles topic can see;"
            + " refer to it as ${NAME} and set NAME where Lasso runs");
  }

  private void warnOfEqualUpstreams(
      Fields fields, Resolution resolution, Map<InstanceId, String> instances) {
    if (resolution instanceof Resolution.Usable usable) {
      String first =
          instances.putIfAbsent(usable.endpoint().instance(), usable.endpoint().provider().value());
      if (first != null) {
        findings.warning(
            Code.DOUBTFUL,
            fields.place(),
            fields.path(),
            "is the same upstream as provider '" + first + "': failing over to it gains nothing");
      }
    }
  }
}
