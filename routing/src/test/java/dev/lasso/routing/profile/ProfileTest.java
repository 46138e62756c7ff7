package dev.lasso.routing.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.select.ChainRoutes;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileTest {
  private static final Provider NODE = Provider.of(ProviderId.of("node"), "https://node.example");

  private static ChainProfile chain(long id, String key, String... aliases) {
    ChainProfile plain = ChainProfile.of(ChainId.of(id), ChainName.of(key), List.of(NODE));
    return withRouting(plain, RoutingSettings.DEFAULT, List.of(aliases));
  }

  private static ChainProfile withRouting(
      ChainProfile chain, RoutingSettings routing, List<String> aliases) {
    return new ChainProfile(
        chain.chainId(),
        chain.key(),
        chain.name(),
        chain.blockTimeMs(),
        aliases.stream().map(ChainName::of).toList(),
        chain.monitoring(),
        chain.selection(),
        chain.webSocket(),
        chain.subscription(),
        routing,
        chain.methods(),
        chain.providers());
  }

  private static Profile profile(ChainProfile... chains) {
    return new Profile(ProfileSlug.DEFAULT, "Default", 0, 0, List.of(chains));
  }

  @Test
  void findsAChainByItsId() {
    Profile profile = profile(chain(1, "ethereum", "eth"), chain(8453, "base"));

    assertThat(profile.chain(ChainId.of(8453))).contains(chain(8453, "base"));
    assertThat(profile.chain(ChainId.of(10))).isEmpty();
  }

  @Test
  void refusesChainsThatUrlsCouldNotTellApart() {
    assertThatThrownBy(() -> profile(chain(1, "a"), chain(1, "b")))
        .hasMessageContaining("the id 1");
    assertThatThrownBy(() -> profile(chain(1, "a"), chain(2, "A"))).hasMessageContaining("'a'");
    assertThatThrownBy(() -> profile(chain(1, "a", "x"), chain(2, "b", "X")))
        .hasMessageContaining("'x'");
    assertThatThrownBy(() -> chain(1, "a", "A")).hasMessageContaining("twice");
    assertThatThrownBy(() -> profile()).hasMessageContaining("at least one");
  }

  @Test
  void refusesMoreProvidersThanAPlanCanNumber() {
    List<Provider> many =
        IntStream.rangeClosed(0, ChainProfile.MAX_PROVIDERS)
            .mapToObj(i -> Provider.of(ProviderId.of("node-" + i), "https://node.example/" + i))
            .toList();
    ChainId id = ChainId.of(1);
    ChainName name = ChainName.of("a");
    assertThat(ChainProfile.of(id, name, many.subList(1, many.size())).providers())
        .hasSize(ChainProfile.MAX_PROVIDERS);
    assertThatThrownBy(() -> ChainProfile.of(id, name, many))
        .hasMessageContaining("at most 10000 entries, has 10001");
    assertThat(2 * ChainProfile.MAX_PROVIDERS).isLessThanOrEqualTo(ChainRoutes.MAX_CHANNELS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"fastest", "Latency-Weighted", "provider", "PROFILE", "1", "8453", "", "a/b"})
  void refusesChainNamesThatRoutesCouldNotTellFromTheirOwnWords(String name) {
    assertThatThrownBy(() -> ChainName.of(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesOverridesThatNameUnknownProviders() {
    RoutingSettings routing =
        RoutingSettings.of(
            StrategyName.FASTEST,
            Map.of("eth_call", new MethodOverride(null, List.of(ProviderId.of("other")), null)),
            true,
            Hedge.DEFAULT,
            1);

    assertThatThrownBy(() -> withRouting(chain(1, "a"), routing, List.of()))
        .hasMessageContaining("eth_call")
        .hasMessageContaining("'other'");
  }

  @Test
  void limitsAreBothThereOrNeither() {
    assertThatThrownBy(
            () -> new Profile(ProfileSlug.DEFAULT, "Default", 10, 0, List.of(chain(1, "a"))))
        .hasMessageContaining("both be 0 or neither");
  }

  @Test
  void methodPatternsMatchNamesAndPrefixesIgnoringCase() {
    assertThat(MethodPattern.of("eth_call").matches("ETH_call")).isTrue();
    assertThat(MethodPattern.of("eth_call").matches("eth_callMany")).isFalse();
    assertThat(MethodPattern.of("debug_*").matches("debug_traceCall")).isTrue();
    assertThat(MethodPattern.of("debug_*").matches("debug")).isFalse();
    assertThat(MethodPattern.of("*").matches("anything")).isTrue();
  }

  @Test
  void denyWinsOverAllowAndTheBuiltInRule() {
    MethodAccess access =
        new MethodAccess(
            List.of(MethodPattern.of("anvil_*")),
            List.of(MethodPattern.of("anvil_reset"), MethodPattern.of("eth_getLogs")));

    assertThat(access.permits("anvil_mine", false)).isTrue();
    assertThat(access.permits("anvil_reset", false)).isFalse();
    assertThat(access.permits("eth_getLogs", true)).isFalse();
    assertThat(access.permits("personal_sign", false)).isFalse();
  }
}
