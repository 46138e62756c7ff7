package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.runtime.settings.SettingCatalogue;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole histories by chance: a chain that forks to depth 12, providers that lag, skip, repeat, fail
 * and lie, ownership that moves, clients that come, go and resume. Written events are measured
 * against the chain, what each client is told against both.
 */
class StreamOraclePropertyTest {
  static final ChainId CHAIN = ChainId.of(1);
  private static final int BATCH = 100;
  private static final FilterSettings FILTERS =
      FilterSettings.from(SettingCatalogue.of(List.of(FilterSettings.GROUP)).read(Map.of()));

  static LongStream batches() {
    return LongStream.range(0, Long.getLong("lasso.histories", 1_000) / BATCH);
  }

  /** A hundred histories in each test; system property {@code lasso.histories} says how many. */
  @ParameterizedTest(name = "seeds {0}00 to {0}99")
  @MethodSource("batches")
  void everyClientIsToldWhatTheHistoryDemands(long batch) {
    for (long seed = batch * BATCH; seed < (batch + 1) * BATCH; seed++) {
      try {
        new Run(seed).everything();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static final class Run implements OwnedChain.Outside {
    private final SplittableRandom random;
    private final TestChain chain;
    private final boolean liars;
    private final List<ChainEvent> topic = new ArrayList<>();
    private final Queue<Runnable> ownerSteps = new ArrayDeque<>();
    private final Queue<Runnable> feedSteps = new ArrayDeque<>();
    private final LoopStream stream = new LoopStream(StreamSettings.DEFAULT, new Flushes());
    private final ChainFeed feed =
        new ChainFeed(CHAIN, new AroundTheFeed(), StreamSettings.DEFAULT, 0, stream::on);
    private final List<StreamOracleClient> clients = new ArrayList<>();
    private final List<ChainTail> tails = List.of(new ChainTail(FILTERS), new ChainTail(FILTERS));
    private final List<ChainFeed> tailFeeds;
    private final int[] tailsFed = new int[2];
    private final List<StreamOracleFilter> filters = new ArrayList<>();
    private OwnedChain owner =
        new OwnedChain(
            CHAIN,
            this,
            StreamSettings.DEFAULT,
            ChainHistory.none(StreamSettings.DEFAULT.window()));
    private int fed;
    private long nowMs = 1_000_000;
    private boolean healthy;
    private int invented;

    Run(long seed) {
      random = new SplittableRandom(seed);
      chain = new TestChain(random);
      liars = random.nextInt(3) == 0;
      tailFeeds =
          tails.stream()
              .map(
                  tail ->
                      new ChainFeed(
                          CHAIN,
                          new AroundTheFeed(),
                          StreamSettings.DEFAULT,
                          0,
                          event -> tail.on(event)))
              .toList();
    }

    void everything() {
      for (int i = 0; i < 15; i++) {
        chain.mine();
      }
      for (int step = 0; step < 50; step++) {
        switch (random.nextInt(12)) {
          case 0 -> chain.fork(1 + random.nextInt(12));
          case 1, 2, 3, 4 -> chain.mine();
          case 5 -> mineSeveral();
          case 6 -> join();
          case 7 -> churn();
          case 8 -> maybeMoveOwnership();
          case 9 -> makeFilter();
          case 10 -> filters.forEach(filter -> filter.poll(tails.get(random.nextInt(2))));
          default -> {}
        }
        for (int i = random.nextInt(3); i > 0; i--) {
          see(sighting());
        }
        settle();
      }
      healthy = true;
      settle();
      settle();
      for (int i = 0; i < 4; i++) {
        chain.mine();
      }
      // retries wait for as long as half a minute
      for (int i = 0; i < 6; i++) {
        nowMs += 40_000;
        see(chain.head());
        settle();
        settle();
      }
      theTopicTellsTheChain();
      theStreamIsToldToBeActive();
      clients.forEach(StreamOracleClient::check);
      for (StreamOracleFilter filter : filters) {
        feedTails(topic.size());
        filter.poll(tails.get(random.nextInt(2)));
        filter.check(topic);
      }
    }

    /** Made at a process that has read all, as the other one may not have. */
    private void makeFilter() {
      filters.add(
          new StreamOracleFilter(
              CHAIN,
              chain,
              random.nextBoolean()
                  ? null
                  : FilterCriteria.read(
                      new JsonObject()
                          .put("address", TestChain.address(random.nextInt(TestChain.ADDRESSES)))),
              topic.isEmpty() ? 0 : topic.getLast().sequence()));
    }

    /** Hands the tails what is written, one of them perhaps less of it. */
    private void feedTails(int atLeast) {
      for (int i = 0; i < tails.size(); i++) {
        int upTo = Math.max(atLeast, topic.size() - random.nextInt(3));
        while (tailsFed[i] < upTo) {
          tailFeeds.get(i).take(topic.get(tailsFed[i]));
          tailsFed[i]++;
        }
      }
    }

    private void join() {
      String address = TestChain.address(random.nextInt(TestChain.ADDRESSES));
      clients.add(new StreamOracleClient(chain, stream, topic, address));
    }

    private void mineSeveral() {
      for (int i = random.nextInt(8); i >= 0; i--) {
        chain.mine();
      }
    }

    private void churn() {
      if (!clients.isEmpty()) {
        StreamOracleClient client = clients.get(random.nextInt(clients.size()));
        if (client.gone()) {
          client.resume();
        } else {
          client.leave();
        }
      }
    }

    private void maybeMoveOwnership() {
      ChainHistory history = ChainHistory.none(StreamSettings.DEFAULT.window());
      for (ChainEvent event : topic) {
        history = history.with(event);
      }
      ownerSteps.clear();
      owner = new OwnedChain(CHAIN, this, StreamSettings.DEFAULT, history);
    }

    private HeadBlock sighting() {
      if (liars && random.nextInt(6) == 0) {
        invented++;
        long number = chain.head().number() + random.nextInt(4);
        return new HeadBlock(
            number,
            TestChain.hash(1_000_000 + invented),
            TestChain.hash(2_000_000 + invented),
            Bytes.EMPTY,
            "liar");
      }
      return chain.behind(random.nextInt(3) == 0 ? random.nextInt(10) : 0);
    }

    private void see(HeadBlock block) {
      owner.seen(
          new HeadSighting(
              Region.of("local"),
              "test",
              CHAIN,
              InstanceId.of("node-0123456789ab"),
              block.number(),
              block.hash(),
              block.parentHash(),
              block.header(),
              HeadSighting.Source.HTTP_POLL,
              nowMs,
              1,
              false,
              null,
              null));
    }

    private void settle() {
      for (int i = 0; i < 30; i++) {
        nowMs += random.nextInt(60);
        run(ownerSteps);
        owner.tick();
        topic.addAll(owner.takeReady());
        while (fed < topic.size()) {
          feed.take(topic.get(fed));
          fed++;
        }
        feedTails(0);
        run(feedSteps);
        if (ownerSteps.isEmpty() && feedSteps.isEmpty() && random.nextBoolean()) {
          return;
        }
      }
    }

    private static void run(Queue<Runnable> steps) {
      for (int due = steps.size(); due > 0; due--) {
        steps.remove().run();
      }
    }

    /** Whoever has been told of trouble is told of its end, by whichever owner. */
    private void theStreamIsToldToBeActive() {
      assertThat(
              topic.stream()
                  .filter(ChainEvent.StreamStateChanged.class::isInstance)
                  .map(ChainEvent.StreamStateChanged.class::cast)
                  .reduce((_, later) -> later)
                  .map(ChainEvent.StreamStateChanged::state)
                  .orElse(ChainEvent.StreamState.ACTIVE))
          .isEqualTo(ChainEvent.StreamState.ACTIVE);
    }

    private void theTopicTellsTheChain() {
      List<String> standing = new ArrayList<>();
      long sequence = 0;
      for (ChainEvent event : topic) {
        assertThat(event.sequence()).isEqualTo(sequence + 1);
        sequence++;
        switch (event) {
          case ChainEvent.BlockAdded added -> {
            if (!standing.isEmpty()) {
              assertThat(added.parentHash()).isEqualTo(standing.getLast());
            }
            standing.add(added.hash());
          }
          case ChainEvent.BlockRemoved removed ->
              assertThat(standing.removeLast()).isEqualTo(removed.hash());
          case ChainEvent.Gap gap -> throw new AssertionError("a gap: " + gap);
          case ChainEvent.StreamStateChanged _ -> {}
        }
      }
      List<String> truth = chain.canonical().stream().map(HeadBlock::hash).toList();
      assertThat(standing).isNotEmpty();
      assertThat(truth).endsWith(standing.toArray(String[]::new));
    }

    @Override
    public Future<Found<HeadBlock>> block(String hash) {
      return answered(chain.byHash(hash));
    }

    @Override
    public Future<Found<HeadBlock>> block(long number) {
      return answered(chain.byNumber(number));
    }

    private Future<Found<HeadBlock>> answered(@org.jspecify.annotations.Nullable HeadBlock block) {
      if (!healthy && random.nextInt(12) == 0) {
        return Future.succeededFuture(new Found.Unanswered<>("timeout"));
      }
      return Future.succeededFuture(
          block == null ? new Found.Nowhere<>() : new Found.Here<>(block));
    }

    @Override
    public Future<Found<List<Bytes>>> logs(HeadBlock block) {
      return logs(block.hash());
    }

    private Future<Found<List<Bytes>>> logs(String hash) {
      return Future.succeededFuture(
          !healthy && random.nextInt(12) == 0
              ? new Found.Unanswered<>("timeout")
              : new Found.Here<>(chain.logs(hash)));
    }

    private boolean areLogsWanted() {
      return !filters.isEmpty() || clients.stream().anyMatch(client -> !client.gone());
    }

    /** Presence takes its time, so the owner does not always know that logs are wanted. */
    @Override
    public boolean wantsLogs() {
      return areLogsWanted() && random.nextInt(4) > 0;
    }

    @Override
    public SubscriptionSettings settings() {
      return new SubscriptionSettings(
          200,
          600_000,
          SubscriptionSettings.ContinuityPolicy.BEST_EFFORT,
          256,
          30_000,
          3,
          5_000,
          100);
    }

    @Override
    public long nowMs() {
      return nowMs;
    }

    @Override
    public void later(Runnable step) {
      ownerSteps.add(step);
    }

    private final class AroundTheFeed implements ChainFeed.Surroundings {
      @Override
      public Future<Found<List<Bytes>>> logs(String hash, Bytes header) {
        return Run.this.logs(hash);
      }

      @Override
      public boolean wantsLogs() {
        return areLogsWanted();
      }

      @Override
      public long nowMs() {
        return nowMs;
      }

      @Override
      public void after(long delayMs, Runnable step) {
        feedSteps.add(step);
      }
    }
  }
}
