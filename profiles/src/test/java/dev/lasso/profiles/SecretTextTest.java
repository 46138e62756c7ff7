package dev.lasso.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.profile.Templated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretTextTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "https://eth.llamarpc.com, https://eth.llamarpc.com",
        "https://eth.llamarpc.com/, https://eth.llamarpc.com/",
        "https://1rpc.io/eth, https://1rpc.io/***",
        "https://n.example/v2/${KEY}, https://n.example/***${KEY}",
        "https://n.example?key=secret, https://n.example/***",
        "https://me:secret@n.example, https://n.example",
        "https://Zx8Kq1LmN0pQrS7tUvWx.n.example, https://***",
        "https://${HOST}/x, https://${HOST}/***",
        "https://${HOST:-secret}/x, https://***/***",
        "${URL}, `(redacted, from URL)`",
        "nonsense, ***"
      })
  void showsOfAUrlWhatCanBeNoKey(String source, String shown) {
    assertThat(SecretText.REDACTED.url(Templated.parse(source))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({"${KEY}, ${KEY}", "${KEY:-secret}, ${KEY}", "Token ${KEY}, ***${KEY}", "secret, ***"})
  void showsOfAHeaderOnlyReferences(String source, String shown) {
    assertThat(SecretText.REDACTED.header("x", Templated.parse(source))).isEqualTo(shown);
  }
}
