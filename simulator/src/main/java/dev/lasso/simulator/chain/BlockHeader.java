package dev.lasso.simulator.chain;

import dev.lasso.routing.Keccak256;
import java.math.BigInteger;

/**
 * The header of a block after the Prague upgrade: everything the block hash covers. Fields that
 * never vary since the merge (difficulty, nonce, uncles, blob gas of a block without blobs) are
 * constants here. Hashes and addresses are lower-case hex data; fees are in wei.
 *
 * @param number height
 * @param parentHash hash of the block before
 * @param timestamp seconds since the epoch
 * @param miner fee recipient
 * @param stateRoot commitment to the state; here a deterministic value, not a trie root
 * @param transactionsRoot commitment to the transactions; here over their hashes, not a trie root
 * @param receiptsRoot commitment to the receipts; here a deterministic value, not a trie root
 * @param logsBloom the true filter over all logs of the block
 * @param gasLimit gas the block may use
 * @param gasUsed gas the block did use
 * @param extraData at most 32 bytes; names the fork the block was built on
 * @param prevRandao the beacon chain's randomness, served as {@code mixHash}
 * @param baseFeePerGas base fee in wei (EIP-1559)
 * @param withdrawalsRoot commitment to the withdrawals (EIP-4895)
 * @param parentBeaconBlockRoot root of the parent beacon block (EIP-4788)
 */
public record BlockHeader(
    long number,
    String parentHash,
    long timestamp,
    String miner,
    String stateRoot,
    String transactionsRoot,
    String receiptsRoot,
    LogsBloom logsBloom,
    long gasLimit,
    long gasUsed,
    String extraData,
    String prevRandao,
    long baseFeePerGas,
    String withdrawalsRoot,
    String parentBeaconBlockRoot) {

  /** Keccak-256 of the RLP of an empty list: the uncles of every block since the merge. */
  public static final String EMPTY_UNCLES =
      "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

  /** Root of an empty trie: a block without transactions. */
  public static final String EMPTY_ROOT =
      "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

  /** SHA-256 of nothing: the requests hash of a block without requests (EIP-7685). */
  public static final String EMPTY_REQUESTS =
      "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  /** The eight zero bytes that stand for the proof-of-work nonce since the merge. */
  public static final String NO_NONCE = "0x0000000000000000";

  /** The block hash: Keccak-256 of the header's RLP, as on a real chain. */
  public String hash() {
    return Hex.data(Keccak256.hash(encoded()));
  }

  byte[] encoded() {
    return Rlp.list(
            Rlp.hex(parentHash),
            Rlp.hex(EMPTY_UNCLES),
            Rlp.hex(miner),
            Rlp.hex(stateRoot),
            Rlp.hex(transactionsRoot),
            Rlp.hex(receiptsRoot),
            Rlp.text(logsBloom.toBytes()),
            Rlp.integer(BigInteger.ZERO),
            Rlp.integer(number),
            Rlp.integer(gasLimit),
            Rlp.integer(gasUsed),
            Rlp.integer(timestamp),
            Rlp.hex(extraData),
            Rlp.hex(prevRandao),
            Rlp.hex(NO_NONCE),
            Rlp.integer(baseFeePerGas),
            Rlp.hex(withdrawalsRoot),
            Rlp.integer(BigInteger.ZERO),
            Rlp.integer(BigInteger.ZERO),
            Rlp.hex(parentBeaconBlockRoot),
            Rlp.hex(EMPTY_REQUESTS))
        .encoded();
  }
}
