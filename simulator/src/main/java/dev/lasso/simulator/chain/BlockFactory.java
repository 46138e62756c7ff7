package dev.lasso.simulator.chain;

import dev.lasso.routing.Keccak256;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes blocks and transactions. Everything is a function of the chain's specification, the parent
 * and the fork number; the factory keeps no state.
 */
final class BlockFactory {

  static final String TRANSFER = Hex.data(Keccak256.hash("Transfer(address,address,uint256)"));
  static final String APPROVAL = Hex.data(Keccak256.hash("Approval(address,address,uint256)"));

  private static final int TOKENS = 5;
  private static final int ACCOUNTS = 10;
  private static final long GAS_LIMIT = 36_000_000;
  private static final long GWEI = 1_000_000_000L;

  private final ChainSpec spec;
  private final byte[] seed;
  private final List<String> tokens;
  private final List<String> accounts;

  BlockFactory(ChainSpec spec) {
    this.spec = spec;
    this.seed = ByteBuffer.allocate(16).putLong(spec.seed()).putLong(spec.chainId()).array();
    this.tokens = addresses("token", TOKENS);
    this.accounts = addresses("account", ACCOUNTS);
  }

  /** The contracts that emit logs. */
  List<String> tokens() {
    return tokens;
  }

  /** The senders of generated transactions. */
  List<String> accounts() {
    return accounts;
  }

  /** Number of generated transactions an account has made up to and including a height. */
  long generatedNonce(long number) {
    return number * spec.maxTransactions();
  }

  SimBlock genesis() {
    return build(0, "0x" + "0".repeat(64), spec.genesisTimestamp(), GWEI, 0, List.of());
  }

  /** A block on top of the parent. */
  SimBlock next(SimBlock parent, long fork, long timestamp, List<SimTransaction> transactions) {
    BlockHeader header = parent.header();
    return build(
        header.number() + 1, parent.hash(), timestamp, nextBaseFee(header), fork, transactions);
  }

  /** The transactions the network would make for the block after the parent on the given fork. */
  List<SimTransaction> transactions(SimBlock parent, long fork) {
    if (spec.maxTransactions() == 0) {
      return List.of();
    }
    SplittableRandom random = random("transactions", parent.hash(), fork);
    int count = random.nextInt(spec.maxTransactions() + 1);
    List<SimTransaction> transactions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      transactions.add(transaction(random, generatedNonce(parent.number()) + i));
    }
    return transactions;
  }

  private SimTransaction transaction(SplittableRandom random, long nonce) {
    String from = accounts.get(random.nextInt(ACCOUNTS));
    String other = accounts.get(random.nextInt(ACCOUNTS));
    boolean call = random.nextInt(4) != 0;
    String to = call ? tokens.get(random.nextInt(TOKENS)) : other;
    long amount = 1 + random.nextLong(1_000_000_000_000L);
    String input = call ? "0xa9059cbb" + word(other) + word(amount) : "0x";
    BigInteger value = BigInteger.valueOf(call ? 0 : amount);
    BigInteger tip = BigInteger.valueOf(GWEI / 10 + random.nextLong(GWEI));
    BigInteger cap = BigInteger.valueOf(100 * GWEI);
    long gas = call ? 90_000 : 21_000;
    BigInteger parity = BigInteger.valueOf(random.nextInt(2));
    BigInteger r = new BigInteger(1, bytes(random, 31));
    BigInteger s = new BigInteger(1, bytes(random, 31));
    byte[] payload =
        Rlp.list(
                Rlp.integer(spec.chainId()),
                Rlp.integer(nonce),
                Rlp.integer(tip),
                Rlp.integer(cap),
                Rlp.integer(gas),
                Rlp.hex(to),
                Rlp.integer(value),
                Rlp.hex(input),
                Rlp.list(),
                Rlp.integer(parity),
                Rlp.integer(r),
                Rlp.integer(s))
            .encoded();
    byte[] raw = new byte[payload.length + 1];
    raw[0] = 2;
    System.arraycopy(payload, 0, raw, 1, payload.length);
    return new SimTransaction(
        Hex.data(Keccak256.hash(raw)),
        Hex.data(raw),
        2,
        spec.chainId(),
        from,
        nonce,
        to,
        value,
        gas,
        cap,
        tip,
        input,
        List.of(),
        parity,
        r,
        s,
        false);
  }

  private SimBlock build(
      long number,
      String parentHash,
      long timestamp,
      long baseFee,
      long fork,
      List<SimTransaction> transactions) {
    SplittableRandom random = random("block", parentHash, fork);
    List<SimReceipt> receipts = new ArrayList<>(transactions.size());
    long gasUsed = 0;
    int logIndex = 0;
    byte[] hashes = new byte[32 * transactions.size()];
    int payloadSize = 0;
    for (int i = 0; i < transactions.size(); i++) {
      SimTransaction transaction = transactions.get(i);
      boolean succeeded = transaction.submitted() || random.nextInt(20) != 0;
      List<SimLog> logs = succeeded ? logs(transaction, random) : List.of();
      long gas = transaction.input().length() == 2 ? 21_000 : 41_000 + random.nextInt(20_000);
      gas = Math.min(gas, transaction.gas());
      gasUsed += gas;
      receipts.add(new SimReceipt(succeeded, gas, gasUsed, logIndex, logs));
      logIndex += logs.size();
      byte[] hash = Hex.bytes(transaction.hash());
      System.arraycopy(hash, 0, hashes, 32 * i, 32);
      payloadSize += transaction.raw().length() / 2;
    }
    LogsBloom bloom =
        logIndex == 0
            ? LogsBloom.EMPTY
            : LogsBloom.of(receipts.stream().flatMap(receipt -> receipt.logs().stream()).toList());
    List<SimBlock.Withdrawal> withdrawals = withdrawals(number, random);
    boolean empty = transactions.isEmpty();
    BlockHeader header =
        new BlockHeader(
            number,
            parentHash,
            timestamp,
            accounts.get(random.nextInt(ACCOUNTS)),
            Hex.data(Keccak256.hash(bytes(random, 32))),
            empty ? BlockHeader.EMPTY_ROOT : Hex.data(Keccak256.hash(hashes)),
            empty ? BlockHeader.EMPTY_ROOT : Hex.data(Keccak256.hash(bytes(random, 32))),
            bloom,
            GAS_LIMIT,
            gasUsed,
            Hex.data(("sim/" + fork).getBytes(StandardCharsets.US_ASCII)),
            Hex.data(bytes(random, 32)),
            baseFee,
            Hex.data(Keccak256.hash(withdrawals.toString())),
            Hex.data(bytes(random, 32)));
    byte[] encoded = header.encoded();
    int size = encoded.length + payloadSize + 40 * withdrawals.size() + 8;
    return new SimBlock(
        header, Hex.data(Keccak256.hash(encoded)), size, transactions, receipts, withdrawals);
  }

  /** Calls to tokens emit a transfer, sometimes an approval too; anything else is silent. */
  private List<SimLog> logs(SimTransaction transaction, SplittableRandom random) {
    String to = transaction.to();
    if (to == null || !tokens.contains(to)) {
      return List.of();
    }
    String receiver = accounts.get(random.nextInt(ACCOUNTS));
    String data = "0x" + word(random.nextLong(Long.MAX_VALUE));
    String from = "0x" + word(transaction.from());
    SimLog transfer = new SimLog(to, List.of(TRANSFER, from, "0x" + word(receiver)), data);
    if (random.nextInt(3) != 0) {
      return List.of(transfer);
    }
    return List.of(transfer, new SimLog(to, List.of(APPROVAL, from, "0x" + word(receiver)), data));
  }

  private List<SimBlock.Withdrawal> withdrawals(long number, SplittableRandom random) {
    if (number == 0) {
      return List.of();
    }
    return List.of(
        new SimBlock.Withdrawal(
            number,
            random.nextInt(1_000_000),
            accounts.get(random.nextInt(ACCOUNTS)),
            10_000_000 + random.nextInt(10_000_000)));
  }

  /** EIP-1559's rule: an eighth up for a full block, an eighth down for an empty one. */
  private static long nextBaseFee(BlockHeader parent) {
    long target = parent.gasLimit() / 2;
    long change = parent.baseFeePerGas() / 8 * (parent.gasUsed() - target) / target;
    return Math.max(7, parent.baseFeePerGas() + change);
  }

  private List<String> addresses(String kind, int count) {
    List<String> addresses = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] hash =
          Keccak256.hash(seed, kind.getBytes(StandardCharsets.US_ASCII), new byte[] {(byte) i});
      addresses.add(Hex.data(Arrays.copyOfRange(hash, 12, 32)));
    }
    return List.copyOf(addresses);
  }

  private SplittableRandom random(String purpose, String parentHash, long fork) {
    byte[] hash =
        Keccak256.hash(
            seed,
            purpose.getBytes(StandardCharsets.US_ASCII),
            parentHash.getBytes(StandardCharsets.US_ASCII),
            ByteBuffer.allocate(8).putLong(fork).array());
    return new SplittableRandom(ByteBuffer.wrap(hash).getLong());
  }

  private static byte[] bytes(SplittableRandom random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String word(String address) {
    return "0".repeat(24) + address.substring(2);
  }

  private static String word(long number) {
    String digits = Long.toHexString(number);
    return "0".repeat(64 - digits.length()) + digits;
  }
}
