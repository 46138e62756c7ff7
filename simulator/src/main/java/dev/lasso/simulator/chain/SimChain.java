package dev.lasso.simulator.chain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated chain: the canonical blocks, the blocks that once were canonical or belong to some
 * node's private branch, the pool of waiting transactions, and the history of all changes. Two
 * chains of equal specification that receive equal commands are equal block by block.
 *
 * <p>Thread-safe: every method holds the chain's lock, listeners run inside it. Nothing happens by
 * itself; a {@code BlockProducer} or a test calls {@link #mine()}.
 */
public final class SimChain {

  private final ChainSpec spec;
  private final BlockFactory factory;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<ChainListener> listeners = new CopyOnWriteArrayList<>();

  private final TreeMap<Long, SimBlock> canonical = new TreeMap<>();
  private final Map<String, SimBlock> byHash = new HashMap<>();
  private final TreeMap<Long, List<SimBlock>> byNumber = new TreeMap<>();
  private final Map<String, SimBlock> blockOfTransaction = new HashMap<>();
  private final Map<String, TreeMap<Long, Integer>> submittedBySender = new HashMap<>();
  private final Map<String, SimTransaction> pool = new LinkedHashMap<>();
  private final Deque<ChainEvent> history = new ArrayDeque<>();

  private List<SimTransaction> upcoming = List.of();
  private long nextSequence;
  private long currentFork;
  private long nextFork = 1;
  private boolean paused;

  /** A chain with its genesis and initial blocks. */
  public SimChain(ChainSpec spec) {
    this.spec = spec;
    this.factory = new BlockFactory(spec);
    append(factory.genesis());
    prepareUpcoming();
    for (int i = 0; i < spec.initialBlocks(); i++) {
      mine();
    }
  }

  /** How this chain was specified. */
  public ChainSpec spec() {
    return spec;
  }

  /** Runs an action while no other thread can change the chain, and returns its result. */
  public <T> T atomically(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** The newest canonical block. */
  public SimBlock head() {
    return atomically(() -> canonical.lastEntry().getValue());
  }

  /** The canonical block of a height; null above the head and where pruned. */
  public @Nullable SimBlock canonical(long number) {
    lock.lock();
    try {
      return canonical.get(number);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The canonical block of a height.
   *
   * @throws IllegalArgumentException above the head and where pruned
   */
  public SimBlock block(long number) {
    SimBlock block = canonical(number);
    if (block == null) {
      throw new IllegalArgumentException("no canonical block " + number);
    }
    return block;
  }

  /** Any block ever made, canonical or not, unless pruned. */
  public @Nullable SimBlock byHash(String hash) {
    lock.lock();
    try {
      return byHash.get(hash);
    } finally {
      lock.unlock();
    }
  }

  /** Height of the oldest block still kept. */
  public long oldestRetained() {
    return atomically(canonical::firstKey);
  }

  /** Whether the block is part of the canonical chain now. */
  public boolean isCanonical(SimBlock block) {
    return atomically(() -> block.equals(canonical.get(block.number())));
  }

  /** The canonical block that holds a transaction; null if none does. */
  public @Nullable SimBlock blockOfTransaction(String transactionHash) {
    lock.lock();
    try {
      return blockOfTransaction.get(transactionHash);
    } finally {
      lock.unlock();
    }
  }

  /** Contracts that emit logs, lower-case addresses. */
  public List<String> tokens() {
    return factory.tokens();
  }

  /** Senders of the generated transactions, lower-case addresses. */
  public List<String> accounts() {
    return factory.accounts();
  }

  /** Transactions an account has made up to and including a height. */
  public long transactionCount(String address, long number) {
    return atomically(
        () -> {
          if (factory.accounts().contains(address)) {
            return factory.generatedNonce(number);
          }
          TreeMap<Long, Integer> sent = submittedBySender.get(address);
          return sent == null
              ? 0L
              : sent.headMap(number, true).values().stream().mapToLong(Integer::longValue).sum();
        });
  }

  /** Mines one block at the time the specification gives it. */
  public SimBlock mine() {
    return atomically(() -> mineAt(timestamp(head().number() + 1)));
  }

  /** Mines the given number of blocks and returns them. */
  public List<SimBlock> mine(int count) {
    return atomically(
        () -> {
          List<SimBlock> mined = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            mined.add(mine());
          }
          return mined;
        });
  }

  /**
   * Mines one block.
   *
   * @param epochSeconds its timestamp; raised to the parent's if that is later
   */
  public SimBlock mineAt(long epochSeconds) {
    return atomically(
        () -> {
          SimBlock parent = head();
          long timestamp = Math.max(epochSeconds, parent.header().timestamp());
          SimBlock block = factory.next(parent, currentFork, timestamp, takeTransactions());
          append(block);
          publish(new ChainUpdate(List.of(), List.of(block)));
          return block;
        });
  }

  /**
   * Reorganises: replaces the last {@code depth} blocks by {@code depth + 1} others.
   *
   * @throws IllegalArgumentException if depth is not positive or would remove a pruned or the
   *     genesis block
   */
  public ChainUpdate fork(int depth) {
    return atomically(
        () -> {
          List<SimBlock> removed = removeNewest(depth);
          List<SimBlock> added = new ArrayList<>(depth + 1);
          for (int i = 0; i <= depth; i++) {
            SimBlock parent = head();
            SimBlock block =
                factory.next(
                    parent,
                    currentFork,
                    Math.max(timestamp(parent.number() + 1), parent.header().timestamp()),
                    takeTransactions());
            append(block);
            added.add(block);
            upcoming = factory.transactions(block, currentFork);
          }
          ChainUpdate update = new ChainUpdate(removed, added);
          publish(update);
          return update;
        });
  }

  /**
   * Takes back the last {@code count} blocks; what is mined afterwards differs from them.
   *
   * @throws IllegalArgumentException if count is not positive or would remove a pruned or the
   *     genesis block
   */
  public ChainUpdate rewind(int count) {
    return atomically(
        () -> {
          ChainUpdate update = new ChainUpdate(removeNewest(count), List.of());
          publish(update);
          return update;
        });
  }

  /** Stops mining by clock; explicit commands still work. */
  public void pause() {
    atomically(() -> paused = true);
  }

  /** Ends {@link #pause()}. */
  public void resume() {
    atomically(() -> paused = false);
  }

  /** Whether mining by clock is stopped. */
  public boolean paused() {
    return atomically(() -> paused);
  }

  /**
   * Makes a block that some node takes for canonical and the chain does not.
   *
   * @param parent the block it builds on
   * @param branch the branch it belongs to, from {@link #newBranch()}
   */
  public SimBlock mineAside(SimBlock parent, long branch) {
    return atomically(
        () -> {
          SimBlock block =
              factory.next(
                  parent,
                  branch,
                  Math.max(timestamp(parent.number() + 1), parent.header().timestamp()),
                  factory.transactions(parent, branch));
          remember(block);
          return block;
        });
  }

  /** A number for a branch that no other branch has. */
  public long newBranch() {
    return atomically(() -> nextFork++);
  }

  /**
   * Accepts a signed transaction; the next mined block includes it. One already known is accepted
   * again without effect.
   *
   * @throws IllegalArgumentException if it cannot be decoded, is for another chain, or its nonce is
   *     spent; the message is what a node would say
   */
  public SimTransaction submit(byte[] raw) {
    SimTransaction transaction = RawTransaction.decode(raw);
    return atomically(
        () -> {
          if (transaction.chainId() != null && transaction.chainId() != spec.chainId()) {
            throw new IllegalArgumentException("invalid chain id for signer");
          }
          if (blockOfTransaction.containsKey(transaction.hash())) {
            throw new IllegalArgumentException("already known");
          }
          if (transaction.nonce() < transactionCount(transaction.from(), head().number())) {
            throw new IllegalArgumentException("nonce too low");
          }
          if (pool.putIfAbsent(transaction.hash(), transaction) == null) {
            listeners.forEach(listener -> listener.transactionPending(transaction));
          }
          return transaction;
        });
  }

  /** Transactions that wait for the next block: submitted ones first. */
  public List<SimTransaction> pending() {
    return atomically(
        () -> {
          List<SimTransaction> pending = new ArrayList<>(pool.values());
          pending.addAll(upcoming);
          return List.copyOf(pending);
        });
  }

  /** The block that would be mined now; it is not kept. */
  public SimBlock pendingBlock(SimBlock parent) {
    return atomically(
        () -> {
          List<SimTransaction> transactions =
              parent.equals(head()) ? pending() : factory.transactions(parent, currentFork);
          return factory.next(parent, currentFork, parent.header().timestamp() + 1, transactions);
        });
  }

  /**
   * All changes of the canonical chain since its genesis, except those pruned with their blocks:
   * the list begins at sequence 0 as long as fewer than {@link ChainSpec#retainedBlocks()} events
   * happened.
   */
  public List<ChainEvent> history() {
    return atomically(() -> List.copyOf(history));
  }

  /** Adds a listener; closing the returned handle removes it. */
  public Registration listen(ChainListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Ends a listener's registration. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  private long timestamp(long number) {
    return spec.genesisTimestamp() + spec.blockTime().toMillis() * number / 1000;
  }

  private List<SimTransaction> takeTransactions() {
    List<SimTransaction> taken = pending();
    pool.clear();
    return taken;
  }

  private void append(SimBlock block) {
    canonical.put(block.number(), block);
    remember(block);
    for (SimTransaction transaction : block.transactions()) {
      blockOfTransaction.put(transaction.hash(), block);
      if (transaction.submitted()) {
        submittedBySender
            .computeIfAbsent(transaction.from(), _ -> new TreeMap<>())
            .merge(block.number(), 1, Integer::sum);
      }
    }
    history.addLast(new ChainEvent.Added(nextSequence++, block));
    prune();
  }

  private List<SimBlock> removeNewest(int count) {
    long head = head().number();
    if (count < 1 || head - count < canonical.firstKey()) {
      throw new IllegalArgumentException(
          "depth must be between 1 and " + (head - canonical.firstKey()) + ", was " + count);
    }
    List<SimBlock> removed = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      SimBlock block = canonical.pollLastEntry().getValue();
      removed.add(block);
      history.addLast(new ChainEvent.Removed(nextSequence++, block));
      for (SimTransaction transaction : block.transactions()) {
        blockOfTransaction.remove(transaction.hash());
        if (transaction.submitted()) {
          submittedBySender
              .getOrDefault(transaction.from(), new TreeMap<>())
              .remove(block.number());
        }
      }
    }
    for (SimBlock block : removed.reversed()) {
      for (SimTransaction transaction : block.transactions()) {
        if (transaction.submitted()) {
          pool.put(transaction.hash(), transaction);
        }
      }
    }
    currentFork = nextFork++;
    upcoming = factory.transactions(head(), currentFork);
    return removed;
  }

  private void publish(ChainUpdate update) {
    listeners.forEach(listener -> listener.chainUpdated(update));
    prepareUpcoming();
  }

  private void prepareUpcoming() {
    upcoming = factory.transactions(head(), currentFork);
    for (SimTransaction transaction : upcoming) {
      listeners.forEach(listener -> listener.transactionPending(transaction));
    }
  }

  private void remember(SimBlock block) {
    if (byHash.putIfAbsent(block.hash(), block) == null) {
      byNumber.computeIfAbsent(block.number(), _ -> new ArrayList<>(1)).add(block);
    }
  }

  private void prune() {
    long oldest = canonical.lastKey() - spec.retainedBlocks();
    while (canonical.firstKey() < oldest) {
      canonical.pollFirstEntry();
    }
    while (byNumber.firstKey() < oldest) {
      for (SimBlock block : byNumber.pollFirstEntry().getValue()) {
        byHash.remove(block.hash());
        block.transactions().forEach(transaction -> blockOfTransaction.remove(transaction.hash()));
      }
    }
    while (history.size() > spec.retainedBlocks()) {
      history.removeFirst();
    }
  }
}
