package dev.lasso.routing.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.routing.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamUrlTest {
  @Test
  void takesAUrlApart() {
    UpstreamUrl url = UpstreamUrl.parse(Transport.WS, "wss://me:p%40ss@Node_1.Example:8546/ws?b=1");

    assertThat(url)
        .isEqualTo(
            new UpstreamUrl(Transport.WS, true, "node_1.example", 8546, "/ws?b=1", "me:p@ss"));
  }

  @ParameterizedTest
  @CsvSource({
    "https://eth.example, https://eth.example",
    "HTTPS://ETH.Example:443/, https://eth.example",
    "http://eth.example:80/v1/, http://eth.example/v1",
    "http://eth.example:8080//, http://eth.example:8080",
    "https://eth.example/V1/KeY, https://eth.example/V1/KeY",
    "https://eth.example/?b=2&a=1, https://eth.example?a=1&b=2",
    "https://eth.example?b=2&a=1, https://eth.example?a=1&b=2",
    "http://[::1]:8545, http://[::1]:8545",
    "https://user:pass@eth.example, https://eth.example"
  })
  void writesEqualUpstreamsAlike(String text, String normalised) {
    assertThat(UpstreamUrl.parse(Transport.HTTP, text).normalised()).isEqualTo(normalised);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "eth.example",
        "/v1",
        "ftp://eth.example",
        "ws://eth.example",
        "http://",
        "http:///v1",
        "http://eth.example:0",
        "http://eth.example:65536",
        "http://eth.example:port",
        "http://eth example",
        "http://eth.example/#top",
        "http://é.example",
        "http://a%zz@eth.example",
        "http://-eth.example"
      })
  void refusesWhatIsNoHttpUrl(String text) {
    assertThatThrownBy(() -> UpstreamUrl.parse(Transport.HTTP, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must ");
  }

  @Test
  void neverShowsPathQueryOrPassword() {
    assertThat(UpstreamUrl.parse(Transport.HTTP, "https://u:p@h.example/key?k=key"))
        .hasToString("https upstream (redacted)");
  }
}
