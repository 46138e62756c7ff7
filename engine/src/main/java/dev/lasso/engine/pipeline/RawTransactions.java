package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
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
  private static final byte BLOB_TYPE = 3;

  /** First byte of an empty RLP list; longer ones count up from it. */
  private static final int LIST = 0xc0;

  /** First byte of the longest RLP list whose size is in that byte. */
  private static final int LONGEST_SHORT_LIST = 0xf7;

  private RawTransactions() {}

  static boolean isRawTransaction(RpcMethod method) {
    return method.name().equals(METHOD);
  }

  /** Whether the provider refused because it has the transaction. */
  static boolean alreadyKnown(RpcMethod method, AttemptOutcome.Failure failure) {
    return means(method, failure.message(), TxRejections.Meaning.ALREADY_KNOWN);
  }

  /** Whether the provider refused because the sender's nonce is used, perhaps by this very one. */
  static boolean nonceUsed(RpcMethod method, String message) {
    return means(method, message, TxRejections.Meaning.NONCE_TOO_LOW);
  }

  private static boolean means(RpcMethod method, String message, TxRejections.Meaning meaning) {
    return isRawTransaction(method)
        && TxRejections.meaning(message).filter(told -> told == meaning).isPresent();
  }

  /** The call that tells whether a provider has a transaction. */
  static RpcCall lookUp(JsonSlice hash) {
    return RpcCall.of("eth_getTransactionByHash", "[" + hash + "]");
  }

  /**
   * The transaction's hash as a JSON string, or null when the params hold no signed transaction.
   *
   * @param params {@code ["0x…"]}
   */
  static @Nullable JsonSlice hash(JsonSlice params) {
    String text =
        new String(params.source(), params.from(), params.size(), StandardCharsets.US_ASCII);
    int open = text.indexOf("\"0x");
    int close = open < 0 ? -1 : text.indexOf('"', open + 1);
    if (close <= open + 3) {
      return null;
    }
    try {
      byte[] signed = withoutBlobs(HexFormat.of().parseHex(text, open + 3, close));
      return JsonSlice.of("\"0x" + HexFormat.of().formatHex(Keccak256.hash(signed)) + "\"");
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /**
   * A blob transaction is sent as {@code 0x03 || rlp([transaction, blobs, …])} but hashed as {@code
   * 0x03 || transaction} (EIP-4844, "Networking"); any other is hashed as it is sent.
   */
  private static byte[] withoutBlobs(byte[] sent) {
    int inner = sent[0] == BLOB_TYPE ? 1 + headerBytes(sent, 1) : sent.length;
    if (inner >= sent.length || (sent[inner] & 0xff) < LIST) {
      return sent;
    }
    int end = inner + headerBytes(sent, inner) + payloadBytes(sent, inner);
    if (end > sent.length) {
      throw new IllegalArgumentException("a list that ends after the transaction");
    }
    byte[] hashed = new byte[1 + end - inner];
    hashed[0] = BLOB_TYPE;
    System.arraycopy(sent, inner, hashed, 1, end - inner);
    return hashed;
  }

  /** Size of the header of the RLP list that begins at an index. */
  private static int headerBytes(byte[] rlp, int at) {
    int first = at < rlp.length ? rlp[at] & 0xff : 0;
    if (first < LIST) {
      throw new IllegalArgumentException("no list");
    }
    return first <= LONGEST_SHORT_LIST ? 1 : 1 + first - LONGEST_SHORT_LIST;
  }

  private static int payloadBytes(byte[] rlp, int at) {
    int first = rlp[at] & 0xff;
    if (first <= LONGEST_SHORT_LIST) {
      return first - LIST;
    }
    long size = 0;
    for (int i = at + 1; i < at + headerBytes(rlp, at); i++) {
      size = size << 8 | (i < rlp.length ? rlp[i] & 0xff : 0xff);
      if (size > rlp.length) {
        throw new IllegalArgumentException("a list longer than the transaction");
      }
    }
    return (int) size;
  }
}
