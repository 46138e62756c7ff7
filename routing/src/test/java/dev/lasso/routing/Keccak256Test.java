package dev.lasso.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Keccak256Test {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
        "abc|4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
        "The quick brown fox jumps over the lazy dog"
            + "|4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15",
        "Transfer(address,address,uint256)"
            + "|ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
        "Approval(address,address,uint256)"
            + "|8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
      })
  void matchesKnownVectors(String text, String expected) {
    assertThat(hex(Keccak256.hash(text))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 135, 136, 137, 271, 272, 273, 1000})
  void hashesPartsLikeTheirConcatenation(int length) {
    byte[] whole = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
    int cut = length / 3;

    byte[] inParts =
        Keccak256.hash(Arrays.copyOf(whole, cut), Arrays.copyOfRange(whole, cut, length));

    assertThat(inParts).isEqualTo(Keccak256.hash(whole));
  }

  @Test
  void hashesExactlyOneBlock() {
    // 136 bytes, the rate: the padding needs a block of its own
    byte[] block = "a".repeat(136).getBytes(StandardCharsets.US_ASCII);

    assertThat(hex(Keccak256.hash(block)))
        .isEqualTo("a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e");
  }

  @Test
  void emptyListAndEmptyTrieHaveTheirWellKnownHashes() {
    assertThat(hex(Keccak256.hash(new byte[] {(byte) 0xc0})))
        .isEqualTo("1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347");
    assertThat(hex(Keccak256.hash(new byte[] {(byte) 0x80})))
        .isEqualTo("56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
