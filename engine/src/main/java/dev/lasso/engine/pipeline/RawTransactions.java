package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.Keccak256;
import dev.lasso.routing.errors.TxRejections;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.facts.RpcMethod;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to {@code eth_sendRawTransaction}: the same signed bytes may be sent again,
 * and a provider that has them already did what was asked (routing page, "Errors").
 */
final class RawTransactions {
  private static final String METHOD = "eth_sendRawTransaction";

  private RawTransactions() {}

  static boolean isRawTransaction(RpcMethod method) {
    return method.name().equals(METHOD);
  }

  /** What a refusal says about the transaction, or null for any other refusal or method. */
  static TxRejections.@Nullable Meaning meaning(RpcMethod method, AttemptOutcome.Failure failure) {
    return isRawTransaction(method) ? TxRejections.meaning(failure.message()).orElse(null) : null;
  }

  /**
   * The transaction's hash as a JSON string, or null when the params hold no hex bytes.
   *
   * @param params {@code ["0x…"]}
   */
  static @Nullable JsonSlice hash(JsonSlice params) {
    String text =
        new String(params.source(), params.from(), params.size(), StandardCharsets.US_ASCII);
    int open = text.indexOf("\"0x");
    int close = open < 0 ? -1 : text.indexOf('"', open + 1);
    if (close < 0) {
      return null;
    }
    try {
      byte[] raw = HexFormat.of().parseHex(text, open + 3, close);
      return JsonSlice.of("\"0x" + HexFormat.of().formatHex(Keccak256.hash(raw)) + "\"");
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
