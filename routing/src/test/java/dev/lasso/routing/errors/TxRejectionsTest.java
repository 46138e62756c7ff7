package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.errors.TxRejections.Meaning;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TxRejectionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "already known",
        "AlreadyKnown",
        "ALREADY_EXISTS: already known",
        "Known transaction",
        "known transaction: 0x8d2ae5",
        "Transaction with the same hash was already imported.",
        "submit transaction to pool failed: Pool(AlreadyImported(\"0xabc\"))",
        "tx already in mempool",
        "transaction already in the pool",
        "tx already exists in cache",
        "known transaction. transaction with hash 0x12 is already in the system",
        "transaction already finalized"
      })
  void knowsThatTheTransactionIsThere(String message) {
    assertThat(TxRejections.meaning(message)).contains(Meaning.ALREADY_KNOWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonce too low",
        "nonce too low: next nonce 12, tx nonce 11",
        "Nonce too low",
        "OldNonce, Current nonce: 12, nonce of rejected tx: 11",
        "Transaction nonce is too low. Try incrementing the nonce.",
        "nonce has already been used",
        "tx nonce is lower than expected"
      })
  void knowsThatTheNonceIsUsed(String message) {
    assertThat(TxRejections.meaning(message)).contains(Meaning.NONCE_TOO_LOW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "nonce too high", "replacement transaction underpriced", "insufficient funds",
        "unknown transaction", "address already reserved", "gas price too low", "unknown block"
      })
  void otherRefusalsMeanNeither(String message) {
    assertThat(TxRejections.meaning(message)).isEmpty();
  }
}
