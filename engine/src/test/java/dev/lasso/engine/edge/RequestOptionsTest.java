package dev.lasso.engine.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestOptionsTest {
  private static final RpcPath PLAIN = new RpcPath("default", null, null, "ethereum");

  private static RequestOptions options(
      RpcPath path, Map<String, String> query, Map<String, String> headers) {
    RequestOptions.Parsed parsed = RequestOptions.parse(path, query::get, headers::get);
    assertThat(parsed).isInstanceOf(RequestOptions.Parsed.Options.class);
    return ((RequestOptions.Parsed.Options) parsed).options();
  }

  @Test
  void asksForNothingByDefault() {
    assertThat(options(PLAIN, Map.of(), Map.of())).isSameAs(RequestOptions.NONE);
  }

  @Test
  void takesTheQueryBeforeTheHeaderAndThePathBeforeBoth() {
    RequestOptions options =
        options(
            new RpcPath("default", StrategyName.FASTEST, "own", "ethereum"),
            Map.of("strategy", "priority", "transport", "ws", "exclude", "a, b"),
            Map.of(
                "X-Lasso-Transport", "http",
                "X-Lasso-Provider", "other",
                "X-Lasso-Min-Block", "0x10",
                "X-Lasso-Session", "wallet-7",
                "X-Lasso-Include-Meta", "headers"));
    assertThat(options)
        .isEqualTo(
            new RequestOptions(
                StrategyName.FASTEST,
                ProviderId.of("own"),
                Transport.WS,
                Set.of(ProviderId.of("a"), ProviderId.of("b")),
                false,
                16,
                "wallet-7",
                RequestOptions.Metadata.HEADERS));
  }

  @Test
  void aSessionOnlyRaisesTheHeightThatIsDemanded() {
    RequestOptions options = options(PLAIN, Map.of("session", "s", "min_block", "10"), Map.of());
    assertThat(options.inSession(12).minBlock()).isEqualTo(12);
    assertThat(options.inSession(-1).minBlock()).isEqualTo(10);
    assertThat(options.inSession(12).session()).isNull();
    RequestOptions.Parsed tooLong =
        RequestOptions.parse(
            PLAIN, Map.of("session", "s".repeat(129))::get, Map.<String, String>of()::get);
    assertThat(tooLong)
        .isInstanceOfSatisfying(
            RequestOptions.Parsed.Invalid.class,
            invalid -> assertThat(invalid.message()).contains("session", "128", "129"));
  }

  @ParameterizedTest
  @CsvSource({
    "strategy,quickest",
    "transport,udp",
    "min_block,-1",
    "min_block,0xzz",
    "include_meta,trailers",
    "exclude_rate_limited,maybe",
    "provider,a b"
  })
  void namesTheOptionAndTheValueThatItCantRead(String option, String value) {
    RequestOptions.Parsed parsed =
        RequestOptions.parse(PLAIN, Map.of(option, value)::get, Map.<String, String>of()::get);
    assertThat(parsed)
        .isInstanceOfSatisfying(
            RequestOptions.Parsed.Invalid.class,
            invalid -> assertThat(invalid.message()).contains(value));
  }
}
