package dev.lasso.engine.rpc;

import org.jspecify.annotations.Nullable;

/** What a provider's body turned out to be. */
public sealed interface ScannedAnswer {
  /** A result, held whole. */
  record Result(JsonSlice result) implements ScannedAnswer {}

  /** A result whose bytes were all handed out while they came. */
  record Streamed() implements ScannedAnswer {}

  /**
   * A JSON-RPC error, or what stands for one.
   *
   * @param code its code, or null when there is none that fits an int
   * @param message its message; empty when there is none
   * @param data its data, or null when there is none
   * @param error the {@code error} value as it came, to be passed on when {@link #wellFormed}
   * @param wellFormed whether {@code error} is an object with a number as code and a string as
   *     message
   */
  record RpcError(
      @Nullable Integer code,
      String message,
      @Nullable JsonSlice data,
      JsonSlice error,
      boolean wellFormed)
      implements ScannedAnswer {}

  /**
   * No answer to our request.
   *
   * @param reason what is wrong
   * @param preview the beginning of the body as text: some gateways say why in plain text
   */
  record Malformed(String reason, String preview) implements ScannedAnswer {}
}
