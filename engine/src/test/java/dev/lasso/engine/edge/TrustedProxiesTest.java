package dev.lasso.engine.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {
  private static final TrustedProxies PRIVATE =
      TrustedProxies.parse("10.0.0.0/8, 192.168.1.7,fd00::/9");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // the header of somebody we do not trust is his own invention
        "203.0.113.9 | 1.2.3.4 | 203.0.113.9",
        "10.1.2.3 | - | 10.1.2.3",
        "10.1.2.3 | 1.2.3.4 | 1.2.3.4",
        // the last hop that is no proxy of ours
        "10.1.2.3 | 6.6.6.6, 1.2.3.4, 10.9.9.9 | 1.2.3.4",
        "192.168.1.7 | 1.2.3.4,fd7f::1 | 1.2.3.4",
        "192.168.1.8 | 1.2.3.4 | 192.168.1.8",
        "fd00::5 | 2001:db8::1 | 2001:db8::1",
        "fd80::5 | 2001:db8::1 | fd80::5",
        // nobody but proxies, or no address at all: the peer is all we know
        "10.1.2.3 | 10.4.4.4 | 10.4.4.4",
        "10.1.2.3 | 1.2.3.4, unknown | 10.1.2.3",
        "10.1.2.3 | '' | 10.1.2.3",
        "10.1.2.3 | evil.example | 10.1.2.3",
        "unknown | 1.2.3.4 | unknown",
      })
  void theClientIsTheLastAddressThatIsNoTrustedProxy(String peer, String header, String client) {
    assertThat(PRIVATE.client(peer, header)).isEqualTo(client);
  }

  @Test
  void withoutAListNobodyIsBelieved() {
    assertThat(TrustedProxies.parse("").client("10.0.0.1", "1.2.3.4")).isEqualTo("10.0.0.1");
  }

  @Test
  void aRangeOfEverythingTrustsEverybody() {
    assertThat(TrustedProxies.parse("0.0.0.0/0").client("8.8.8.8", "::1")).isEqualTo("::1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "proxy.example", "10.0.0", "::/129"})
  void whatIsNoAddressOrRangeIsRefusedByName(String entry) {
    if (entry.equals("10.0.0")) {
      // three numbers are an address to Java: 10.0.0.0
      assertThat(TrustedProxies.parse(entry).client("10.0.0.0", "1.2.3.4")).isEqualTo("1.2.3.4");
      return;
    }
    assertThatThrownBy(() -> TrustedProxies.parse("127.0.0.1," + entry))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(entry);
  }

  @Test
  void hostsThatComeLaterAreTrustedByTheirAddressesOnly() {
    TrustedProxies more = PRIVATE.and(List.of("192.0.2.7", "gateway-1", "::1"));
    assertThat(more.trusts("192.0.2.7")).isTrue();
    assertThat(more.trusts("::1")).isTrue();
    assertThat(more.trusts("10.1.1.1")).isTrue();
    assertThat(more.trusts("192.0.2.8")).isFalse();
    assertThat(PRIVATE.trusts("192.0.2.7")).isFalse();
  }
}
