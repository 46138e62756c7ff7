package dev.lasso.blocksync;

import dev.lasso.engine.process.PartitionShare;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.heads.ChainHeads;
import dev.lasso.routing.heads.Consensus;
import dev.lasso.routing.heads.Heads;
import dev.lasso.routing.heads.HeadsPolicy;
import dev.lasso.schemas.ChainStateKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Folds the heads seen on the chains of one partition and publishes what changed. The Streams task
 * owns it. It works on a copy of the store in its own memory; what is published is written through
 * at once, the rest when the clock ticks.
 *
 * <p>The clock is the process's wall clock: an instance must go stale even when nothing is seen. It
 * may go back, and whoever folded the chain before may have had one that was ahead: what the future
 * brought is {@linkplain ChainHeads#withoutFuture taken to now} before anything else.
 */
final class HeadProcessor implements Processor<ChainId, HeadSighting, ChainStateKey, ChainState> {
  static final String STORE = "chain-heads";

  private static final Duration TICK = Duration.ofMillis(500);

  private final Region region;
  private final FoldPolicy numbers;
  private final ExpectedBlockTimes expected;
  private final PartitionShare<ChainId> share;
  private final Map<ChainStateKey, Known> chains = new HashMap<>();
  private @Nullable ProcessorContext<ChainStateKey, ChainState> context;
  private @Nullable KeyValueStore<ChainStateKey, ChainHeads> store;

  HeadProcessor(
      Region region,
      FoldPolicy numbers,
      ExpectedBlockTimes expected,
      PartitionShare<ChainId> share) {
    this.region = region;
    this.numbers = numbers;
    this.expected = expected;
    this.share = share;
  }

  /** What is known of one chain, and what others were told of it. */
  private static final class Known {
    private ChainHeads heads;
    private boolean unsaved;
    private boolean stalled;
    private @Nullable ChainState published;

    private Known(ChainHeads heads) {
      this.heads = heads;
    }
  }

  @Override
  public void init(ProcessorContext<ChainStateKey, ChainState> given) {
    context = given;
    store = given.getStateStore(STORE);
    chains.clear();
    try (KeyValueIterator<ChainStateKey, ChainHeads> all = store().all()) {
      while (all.hasNext()) {
        KeyValue<ChainStateKey, ChainHeads> entry = all.next();
        if (entry.value != null) {
          chains.put(entry.key, new Known(entry.value.withoutFuture(nowMs())));
        }
      }
    }
    given.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, _ -> tick());
    share.add(given.taskId().partition());
  }

  @Override
  public void process(Record<ChainId, HeadSighting> seen) {
    HeadSighting sighting = seen.value();
    if (sighting == null || !sighting.region().equals(region)) {
      return;
    }
    ChainId chain = sighting.chain();
    ChainStateKey key = new ChainStateKey(region, chain);
    long nowMs = nowMs();
    Known known = chains.computeIfAbsent(key, _ -> new Known(ChainHeads.NONE));
    HeadsPolicy policy = policy(chain);
    ChainHeads heads = known.heads.withoutFuture(nowMs);
    take(key, known, Heads.evolve(heads, sighting, nowMs, policy), nowMs, policy);
  }

  @Override
  public void close() {
    if (context != null) {
      share.remove(context.taskId().partition());
    }
  }

  private void tick() {
    long nowMs = nowMs();
    Iterator<Map.Entry<ChainStateKey, Known>> all = chains.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<ChainStateKey, Known> entry = all.next();
      ChainStateKey key = entry.getKey();
      Known known = entry.getValue();
      HeadsPolicy policy = policy(key.chain());
      ChainHeads aged = Heads.evolve(known.heads.withoutFuture(nowMs), nowMs, policy);
      if (aged.instances().isEmpty()) {
        all.remove();
        store().delete(key);
        context().forward(new Record<>(key, null, nowMs));
        continue;
      }
      take(key, known, aged, nowMs, policy);
      watch(key.chain(), known, nowMs, policy);
      if (known.unsaved) {
        save(key, known);
      }
    }
  }

  private void take(
      ChainStateKey key, Known known, ChainHeads heads, long nowMs, HeadsPolicy policy) {
    ChainHeads before = known.heads;
    known.heads = heads;
    known.unsaved |= !heads.equals(before);
    HeadLog.changed(key.chain(), before, heads);
    ChainState now = heads.toChainState(region, key.chain(), nowMs, policy);
    ChainState last = known.published;
    if (last == null || Publication.due(last, now)) {
      known.published = now;
      save(key, known);
      context().forward(new Record<>(key, now, nowMs));
    }
  }

  /** Says once that a chain stands still, and once that it moves again. */
  private void watch(ChainId chain, Known known, long nowMs, HeadsPolicy policy) {
    Consensus consensus = known.heads.consensus();
    if (consensus == null) {
      return;
    }
    double blockTimeMs =
        Objects.requireNonNullElse(
            known.published == null ? null : known.published.blockTimeMs(), policy.blockTimeMs());
    long silentMs = nowMs - consensus.sinceMs();
    boolean stalled = silentMs > numbers.stalledAfterMs(blockTimeMs);
    if (stalled && !known.stalled) {
      HeadLog.headStalled(chain, consensus.height(), silentMs);
    } else if (!stalled && known.stalled) {
      HeadLog.headMoves(chain, consensus.height());
    }
    known.stalled = stalled;
  }

  private HeadsPolicy policy(ChainId chain) {
    return numbers.heads().expecting(expected.blockTimeMs(chain));
  }

  private void save(ChainStateKey key, Known known) {
    store().put(key, known.heads);
    known.unsaved = false;
  }

  private long nowMs() {
    return context().currentSystemTimeMs();
  }

  private ProcessorContext<ChainStateKey, ChainState> context() {
    return Objects.requireNonNull(context, "not initialised");
  }

  private KeyValueStore<ChainStateKey, ChainHeads> store() {
    return Objects.requireNonNull(store, "not initialised");
  }
}
