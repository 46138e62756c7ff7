package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.Keccak256;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawTransactionsTest {
  private static @Nullable String hash(String params) {
    JsonSlice hash = RawTransactions.hash(JsonSlice.of(params));
    return hash == null ? null : hash.toString();
  }

  private static String keccak(String hex) {
    return "\"0x" + HexFormat.of().formatHex(Keccak256.hash(HexFormat.of().parseHex(hex))) + "\"";
  }

  /** The example of EIP-155. */
  @Test
  void aLegacyTransactionHasTheHashThatNodesGiveIt() {
    assertThat(
            hash(
                "[\"0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3"
                    + "a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276"
                    + "a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83\"]"))
        .isEqualTo("\"0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788\"");
  }

  @Test
  void aBlobTransactionIsHashedWithoutItsBlobs() {
    assertThat(hash("[\"0x03c7c3010203c0c0c0\"]")).isEqualTo(keccak("03c3010203"));
    String longList = "f838" + "b6".repeat(0x38);
    assertThat(hash("[\"0x03f83d" + longList + "c0c0c0\"]")).isEqualTo(keccak("03" + longList));
  }

  @Test
  void aBlobTransactionSentAloneIsHashedAsItIs() {
    assertThat(hash("[\"0x03c3010203\"]")).isEqualTo(keccak("03c3010203"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[\"0x\"]",
        "[\"\"]",
        "[7]",
        "{}",
        "[\"0xzz\"]",
        "[\"0x0\"]",
        "[null]",
        "[\"0x03\"]",
        "[\"0x0301\"]",
        "[\"0x03c7c8010203c0c0c0\"]",
        "[\"0x03f8ffc3\"]"
      })
  void whatIsNoTransactionHasNone(String params) {
    assertThat(hash(params)).isNull();
  }
}
