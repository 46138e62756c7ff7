package dev.lasso.routing.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Transport;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProviderTest {
  private static final ChainId ETHEREUM = ChainId.of(1);
  private static final Environment VARIABLES =
      Map.of("KEY", "0123456789abcdef", "OTHER", "fedcba", "BREAK", "a\r\nb")::get;

  private static Provider provider(@Nullable String url, @Nullable String wsUrl) {
    return provider(url, wsUrl, Map.of(), null, Sharing.SHARED);
  }

  private static Provider provider(
      @Nullable String url,
      @Nullable String wsUrl,
      Map<String, Templated> headers,
      @Nullable String apiKey,
      Sharing sharing) {
    return new Provider(
        ProviderId.of("node"),
        "Node",
        url == null ? null : Templated.parse(url),
        wsUrl == null ? null : Templated.parse(wsUrl),
        1,
        true,
        true,
        headers,
        apiKey == null ? null : Templated.parse(apiKey),
        sharing,
        Capabilities.ALL);
  }

  private static ProviderEndpoint usable(Provider provider) {
    return switch (provider.resolve(ETHEREUM, ProfileSlug.of("a"), VARIABLES)) {
      case Resolution.Usable usable -> usable.endpoint();
      case Resolution.Unusable unusable -> throw new AssertionError(unusable.reason());
    };
  }

  private static InstanceId instance(String url) {
    return usable(provider(url, null)).instance();
  }

  @Test
  void equalUpstreamsAreOneInstanceHoweverWritten() {
    assertThat(instance("HTTPS://Eth.Example:443/v2/${KEY}/"))
        .isEqualTo(instance("https://eth.example/v2/0123456789abcdef"));
  }

  @Test
  void theIdIsTheSameInEveryProcessAndRelease() {
    assertThat(instance("https://eth.llamarpc.com")).hasToString("llamarpc.com-37e73e95e020");
  }

  @Test
  void otherKeysChainsTransportsAndHeadersAreOtherInstances() {
    String url = "https://eth.example/v2/${KEY}";
    InstanceId first = instance(url);

    assertThat(instance("https://eth.example/v2/${OTHER}")).isNotEqualTo(first);
    assertThat(usable(provider(url, "wss://eth.example")).instance()).isNotEqualTo(first);
    assertThat(usable(provider(url, null, Map.of(), "${KEY}", Sharing.SHARED)).instance())
        .isNotEqualTo(first);
    assertThat(provider(url, null).resolve(ChainId.of(2), ProfileSlug.of("a"), VARIABLES))
        .isInstanceOfSatisfying(
            Resolution.Usable.class,
            usable -> assertThat(usable.endpoint().instance()).isNotEqualTo(first));
  }

  @Test
  void isolatedProvidersBelongToTheirProfile() {
    Provider isolated = provider("https://eth.example", null, Map.of(), null, Sharing.ISOLATED);

    assertThat(isolated.resolve(ETHEREUM, ProfileSlug.of("a"), VARIABLES))
        .isEqualTo(isolated.resolve(ETHEREUM, ProfileSlug.of("a"), VARIABLES))
        .isNotEqualTo(isolated.resolve(ETHEREUM, ProfileSlug.of("b"), VARIABLES));
    Provider shared = provider("https://eth.example", null);
    assertThat(shared.resolve(ETHEREUM, ProfileSlug.of("a"), VARIABLES))
        .isEqualTo(shared.resolve(ETHEREUM, ProfileSlug.of("b"), VARIABLES));
  }

  @Test
  void theHintLeavesOutHostLabelsThatMayBeKeys() {
    assertThat(instance("https://0123456789abcdef.eth.rpc.example.com").value())
        .matches("example\\.com-[0-9a-f]{12}");
    assertThat(instance("http://127.0.0.1:8545").value())
        .matches("127\\.0\\.0\\.1-8545-[0-9a-f]{12}");
    assertThat(instance("http://[::1]:8545").value()).matches("1-8545-[0-9a-f]{12}");
  }

  @Test
  void sendsKeyAndPasswordAsAuthorization() {
    assertThat(usable(provider("https://n", null, Map.of(), "${KEY}", Sharing.SHARED)).headers())
        .containsExactly(Map.entry("authorization", "Bearer 0123456789abcdef"));
    assertThat(usable(provider("https://user:pass@n", null)).headers())
        .containsExactly(Map.entry("authorization", "Basic dXNlcjpwYXNz"));
    assertThat(
            usable(
                    provider(
                        "https://n",
                        null,
                        Map.of("X-Key", Templated.parse("${KEY}")),
                        null,
                        Sharing.SHARED))
                .headers())
        .containsExactly(Map.entry("x-key", "0123456789abcdef"));
  }

  @Test
  void hasOneChannelPerUrl() {
    assertThat(usable(provider("https://n", "wss://n")).channels())
        .extracting(channel -> channel.transport())
        .containsExactly(Transport.HTTP, Transport.WS);
  }

  @Test
  void missingVariablesMakeItUnusableHereWithAReason() {
    assertThat(
            provider("https://n/${ABSENT}", null).resolve(ETHEREUM, ProfileSlug.DEFAULT, VARIABLES))
        .isEqualTo(new Resolution.Unusable(ProviderId.of("node"), "url: not set: ABSENT"));
    assertThat(
            provider("https://n", null, Map.of(), "${BREAK}", Sharing.SHARED)
                .resolve(ETHEREUM, ProfileSlug.DEFAULT, VARIABLES))
        .isEqualTo(
            new Resolution.Unusable(
                ProviderId.of("node"), "api_key: must have no line breaks or control characters"));
  }

  @Test
  void noTextFormShowsASecret() {
    Provider provider =
        provider(
            "https://literal-key.node.example/${KEY}",
            "wss://n/literal-key",
            Map.of("x-key", Templated.parse("literal-key")),
            "literal-key",
            Sharing.SHARED);

    assertThat(provider.toString()).doesNotContain("literal-key", "0123456789abcdef");
    assertThat(usable(provider).toString()).doesNotContain("literal-key", "0123456789abcdef");
    assertThat(String.valueOf(usable(provider).http())).doesNotContain("literal-key");
  }

  @Test
  void refusesProvidersThatCannotWork() {
    assertThatThrownBy(() -> provider(null, null)).hasMessageContaining("url or a ws_url");
    Map<String, Templated> host = Map.of("Host", Templated.parse("a"));
    assertThatThrownBy(() -> provider("https://n", null, host, null, Sharing.SHARED))
        .hasMessageContaining("set by the connection");
    Map<String, Templated> authorization = Map.of("Authorization", Templated.parse("a"));
    assertThatThrownBy(() -> provider("https://n", null, authorization, "k", Sharing.SHARED))
        .hasMessageContaining("both api_key and an authorization header");
  }
}
