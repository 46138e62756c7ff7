package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dial https://eth-mainnet.example.com/v2/S3CRETkey0123456789abcdefABCDEF: refused",
        "dial https://user:S3CRET@rpc.example.com/: refused",
        "GET https://rpc.example.com/?apikey=S3CRET failed",
        "GET wss://rpc.example.com/ws?token=S3CRET&x=1 failed",
        "invalid api_key: S3CRET",
        "{\"token\":\"S3CRET\"}",
        "Authorization: Bearer S3CRET-abc",
        "key=S3CRET",
        "project S3CRET45b0b9a1ae1d4ff5d9f7b4f44a6d2f3 has no access",
        "key S3CRET-b2ab-4d1c-8f7e-0a1b2c3d4e5f is inactive",
        "app S3CRETaGVsbG8gd29ybGQgaGVsbG8gd29ybGQ= is inactive"
      })
  void takesOutCredentialsAndKeys(String text) {
    assertThat(Redaction.redact(text)).doesNotContain("S3CRET").contains("[redacted]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "missing trie node 0x8d2ae5ca4b6a45b0b9a1ae1d4ff5d9f7b4f44a6d2f3aafe15f9a5bd3bb0dd6fa",
        "nonce too high: address 0x16c57eDF7Fa9D9525378B0b81Bf8A3cEd0620C1c, tx: 999 state: 0",
        "the method debug_traceBlockByNumber does not exist/is not available",
        "use eth_signTypedData_v4 instead",
        "Learn more: https://docs.chainstack.com/docs/limits#evm-range-limits",
        "token is invalid",
        "key is inactive",
        "invalid api key provided",
        "nonce has max value: 18446744073709551615",
        "execution reverted: InsufficientLiquidityForTransfer",
        "balance 115792089237316195423570985008687907853269984665640564039457"
      })
  void leavesWhatIsNoSecret(String text) {
    assertThat(Redaction.redact(text)).isEqualTo(text);
  }

  @Test
  void cutsAtTheLimitAndRecognisesKeysAcrossIt() {
    String text = "word ".repeat(58) + "S3CRETkey0123456789abcdefABCDEF" + " word".repeat(500);

    assertThat(Redaction.redact(text)).hasSize(Redaction.MAX_CHARS).doesNotContain("S3CRET");
  }

  @Test
  void controlCharactersBecomeSpaces() {
    assertThat(Redaction.redact("a\r\nb\u0000c")).isEqualTo("a  b c");
  }
}
