package dev.lasso.routing.errors;

import java.util.List;
import java.util.Optional;

/**
 * Tells the refusals of a signed transaction that say the chain has it already, or has gone past
 * its nonce. A gateway that sent the same bytes twice answers these with the transaction's hash
 * (routing page, "Errors").
 */
public final class TxRejections {
  private static final List<Phrase> ALREADY_KNOWN =
      Phrase.parseAll(
          List.of(
              "already known/imported/finalized/mined/included/pooled",
              "known transaction/tx",
              "same hash was already",
              "transaction/tx is? already",
              "already in * pool/mempool/txpool/queue/cache/system/block",
              "already exist in",
              "transaction/tx already exist",
              "duplicate transaction/tx"));

  private static final List<Phrase> NONCE_TOO_LOW =
      Phrase.parseAll(
          List.of(
              "nonce is? too low/old/small/stale",
              "nonce is? lower/less/smaller",
              "old/stale nonce",
              "nonce has already",
              "nonce already"));

  /** What a refusal says about the transaction. */
  public enum Meaning {
    /** The provider has this very transaction. */
    ALREADY_KNOWN,
    /**
     * The sender's nonce is used: by this transaction, if some provider knows it, or by another.
     */
    NONCE_TOO_LOW
  }

  private TxRejections() {}

  /** What the provider's message says; empty for any other refusal. */
  public static Optional<Meaning> meaning(String message) {
    List<String> words = Words.of(message);
    if (ALREADY_KNOWN.stream().anyMatch(phrase -> phrase.matches(words))) {
      return Optional.of(Meaning.ALREADY_KNOWN);
    }
    return NONCE_TOO_LOW.stream().anyMatch(phrase -> phrase.matches(words))
        ? Optional.of(Meaning.NONCE_TOO_LOW)
        : Optional.empty();
  }
}
