package dev.lasso.simulator.chain;

import dev.lasso.routing.Keccak256;
import dev.lasso.simulator.chain.SimTransaction.AccessTuple;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads signed transactions of types 0, 1, 2 and 4 and recovers who signed them.
 *
 * @see <a href="https://eips.ethereum.org/EIPS/eip-2718">EIP-2718: typed transactions</a>
 */
final class RawTransaction {

  private RawTransaction() {}

  /**
   * Decodes a transaction as {@code eth_sendRawTransaction} receives it.
   *
   * @throws IllegalArgumentException if the bytes are no transaction of a supported type or its
   *     signature is invalid; the message is fit for the caller
   */
  static SimTransaction decode(byte[] raw) {
    if (raw.length == 0) {
      throw new IllegalArgumentException("typed transaction too short");
    }
    int first = raw[0] & 0xff;
    if (first >= 0xc0) {
      return legacy(raw, Rlp.decode(raw, 0).items());
    }
    return switch (first) {
      case 1 -> typed(raw, 1, 11);
      case 2 -> typed(raw, 2, 12);
      case 4 -> typed(raw, 4, 13);
      default -> throw new IllegalArgumentException("transaction type not supported");
    };
  }

  private static SimTransaction legacy(byte[] raw, List<Rlp.Item> fields) {
    requireFields(fields, 9);
    BigInteger v = fields.get(6).integer();
    BigInteger r = fields.get(7).integer();
    BigInteger s = fields.get(8).integer();
    List<Rlp.Item> signed = new ArrayList<>(fields.subList(0, 6));
    Long chainId = null;
    int parity = v.intValue() - 27;
    if (v.compareTo(BigInteger.valueOf(35)) >= 0) {
      chainId = number(v.subtract(BigInteger.valueOf(35)).shiftRight(1));
      parity = v.testBit(0) ? 0 : 1;
      signed.add(Rlp.integer(chainId));
      signed.add(Rlp.integer(0));
      signed.add(Rlp.integer(0));
    }
    String from = Secp256k1.recover(Keccak256.hash(Rlp.list(signed).encoded()), parity, r, s);
    BigInteger gasPrice = fields.get(1).integer();
    return new SimTransaction(
        Hex.data(Keccak256.hash(raw)),
        Hex.data(raw),
        0,
        chainId,
        from,
        number(fields.get(0).integer()),
        receiver(fields.get(3)),
        fields.get(4).integer(),
        number(fields.get(2).integer()),
        gasPrice,
        gasPrice,
        Hex.data(fields.get(5).bytes()),
        List.of(),
        v,
        r,
        s,
        true);
  }

  /** Types 1, 2 and 4 share a layout; type 1 has one fee field fewer, type 4 a list more. */
  private static SimTransaction typed(byte[] raw, int type, int fieldCount) {
    List<Rlp.Item> fields = Rlp.decode(raw, 1).items();
    requireFields(fields, fieldCount);
    int afterFees = type == 1 ? 3 : 4;
    BigInteger v = fields.get(fieldCount - 3).integer();
    BigInteger r = fields.get(fieldCount - 2).integer();
    BigInteger s = fields.get(fieldCount - 1).integer();
    byte[] signed = Rlp.list(fields.subList(0, fieldCount - 3)).encoded();
    byte[] signingHash = Keccak256.hash(new byte[] {(byte) type}, signed);
    return new SimTransaction(
        Hex.data(Keccak256.hash(raw)),
        Hex.data(raw),
        type,
        number(fields.get(0).integer()),
        Secp256k1.recover(signingHash, v.intValue(), r, s),
        number(fields.get(1).integer()),
        receiver(fields.get(afterFees + 1)),
        fields.get(afterFees + 2).integer(),
        number(fields.get(afterFees).integer()),
        fields.get(afterFees - 1).integer(),
        fields.get(2).integer(),
        Hex.data(fields.get(afterFees + 3).bytes()),
        accessList(fields.get(afterFees + 4)),
        v,
        r,
        s,
        true);
  }

  private static List<AccessTuple> accessList(Rlp.Item list) {
    List<AccessTuple> tuples = new ArrayList<>();
    for (Rlp.Item entry : list.items()) {
      requireFields(entry.items(), 2);
      List<String> keys =
          entry.items().get(1).items().stream().map(key -> Hex.data(key.bytes())).toList();
      tuples.add(new AccessTuple(Hex.data(entry.items().getFirst().bytes()), keys));
    }
    return tuples;
  }

  private static @Nullable String receiver(Rlp.Item item) {
    byte[] address = item.bytes();
    if (address.length != 0 && address.length != 20) {
      throw new IllegalArgumentException("rlp: input string has the wrong size for an address");
    }
    return address.length == 0 ? null : Hex.data(address);
  }

  private static void requireFields(List<Rlp.Item> fields, int count) {
    if (fields.size() != count) {
      throw new IllegalArgumentException(
          "rlp: transaction has " + fields.size() + " fields, expected " + count);
    }
  }

  private static long number(BigInteger value) {
    if (value.bitLength() > 63) {
      throw new IllegalArgumentException("rlp: value larger than 64 bits");
    }
    return value.longValue();
  }
}
