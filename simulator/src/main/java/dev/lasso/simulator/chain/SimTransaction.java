package dev.lasso.simulator.chain;

import dev.lasso.routing.Keccak256;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A signed transaction. A <em>submitted</em> one came through {@code eth_sendRawTransaction} and is
 * exactly what its sender signed; a generated one is well formed but its signature is made up. Fees
 * are in wei, data and hashes lower-case hex.
 *
 * @param hash Keccak-256 of {@code raw}
 * @param raw the encoded transaction as it travels
 * @param type 0 legacy, 1 access list (EIP-2930), 2 dynamic fee (EIP-1559), 4 set code (EIP-7702)
 * @param chainId the chain it is bound to; null for a legacy transaction without replay protection
 * @param from the sender
 * @param nonce number of transactions the sender made before
 * @param to the receiver; null creates a contract
 * @param value amount in wei
 * @param gas gas limit
 * @param maxFeePerGas fee cap; the gas price of types 0 and 1
 * @param maxPriorityFeePerGas tip cap; the gas price of types 0 and 1
 * @param input call data
 * @param accessList addresses and slots declared beforehand
 * @param v recovery value of the signature (the parity for typed transactions)
 * @param r first half of the signature
 * @param s second half of the signature
 * @param submitted whether a client sent it
 */
public record SimTransaction(
    String hash,
    String raw,
    int type,
    @Nullable Long chainId,
    String from,
    long nonce,
    @Nullable String to,
    BigInteger value,
    long gas,
    BigInteger maxFeePerGas,
    BigInteger maxPriorityFeePerGas,
    String input,
    List<AccessTuple> accessList,
    BigInteger v,
    BigInteger r,
    BigInteger s,
    boolean submitted) {

  /** Copies the list. */
  public SimTransaction {
    accessList = List.copyOf(accessList);
  }

  /**
   * One entry of an access list.
   *
   * @param address the account
   * @param storageKeys its slots
   */
  public record AccessTuple(String address, List<String> storageKeys) {
    /** Copies the keys. */
    public AccessTuple {
      storageKeys = List.copyOf(storageKeys);
    }
  }

  /** What one unit of gas costs in a block of the given base fee, in wei. */
  public BigInteger effectiveGasPrice(long baseFeePerGas) {
    if (type < 2) {
      return maxFeePerGas;
    }
    return maxFeePerGas.min(BigInteger.valueOf(baseFeePerGas).add(maxPriorityFeePerGas));
  }

  /** Address of the contract this transaction creates; null if it creates none. */
  public @Nullable String createdContract() {
    if (to != null) {
      return null;
    }
    byte[] hashed = Keccak256.hash(Rlp.list(Rlp.hex(from), Rlp.integer(nonce)).encoded());
    return Hex.data(Arrays.copyOfRange(hashed, 12, 32));
  }
}
