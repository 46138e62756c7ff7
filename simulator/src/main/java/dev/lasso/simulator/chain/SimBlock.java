package dev.lasso.simulator.chain;

import java.util.List;

/**
 * A block with its transactions and their receipts. Immutable; equal blocks have equal hashes.
 *
 * @param header what the hash covers
 * @param hash the block hash
 * @param size bytes of the block's RLP
 * @param transactions in the order executed
 * @param receipts one for each transaction
 * @param withdrawals validator withdrawals (EIP-4895)
 */
public record SimBlock(
    BlockHeader header,
    String hash,
    int size,
    List<SimTransaction> transactions,
    List<SimReceipt> receipts,
    List<Withdrawal> withdrawals) {

  /** Copies the lists and checks that receipts match transactions. */
  public SimBlock {
    transactions = List.copyOf(transactions);
    receipts = List.copyOf(receipts);
    withdrawals = List.copyOf(withdrawals);
    if (transactions.size() != receipts.size()) {
      throw new IllegalArgumentException("each transaction has one receipt");
    }
  }

  /**
   * A payment from the beacon chain.
   *
   * @param index running number over the chain
   * @param validatorIndex who withdrew
   * @param address the receiver
   * @param amountGwei amount in gwei
   */
  public record Withdrawal(long index, long validatorIndex, String address, long amountGwei) {}

  /** The height. */
  public long number() {
    return header.number();
  }

  /** Hash of the block before. */
  public String parentHash() {
    return header.parentHash();
  }

  /** Every log of the block in order of its log index. */
  public List<SimLog> logs() {
    return receipts.stream().flatMap(receipt -> receipt.logs().stream()).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SimBlock block && hash.equals(block.hash);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }

  @Override
  public String toString() {
    return header.number() + ":" + hash.substring(0, 10);
  }
}
