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
import dev.lasso.subscription.ChainReader.Found;
import io.netty.buffer.ByteBuf;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
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
  private static final ChainId CHAIN = ChainId.of(1);
  private static final int BATCH = 100;

  static LongStream batches() {
    return LongStream.range(0, 50);
  }

  /** 5,000 histories, a hundred in each test. */
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
        new ChainFeed(CHAIN, new AroundTheFeed(), StreamSettings.DEFAULT, stream::on);
    private final List<Client> clients = new ArrayList<>();
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
    }

    void everything() {
      for (int i = 0; i < 15; i++) {
        chain.mine();
      }
      for (int step = 0; step < 50; step++) {
        switch (random.nextInt(10)) {
          case 0 -> chain.fork(1 + random.nextInt(12));
          case 1, 2, 3, 4 -> chain.mine();
          case 5 -> mineSeveral();
          case 6 -> clients.add(new Client());
          case 7 -> churn();
          case 8 -> maybeMoveOwnership();
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
      clients.forEach(Client::check);
    }

    private void mineSeveral() {
      for (int i = random.nextInt(8); i >= 0; i--) {
        chain.mine();
      }
    }

    private void churn() {
      if (!clients.isEmpty()) {
        Client client = clients.get(random.nextInt(clients.size()));
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

    /** Presence takes its time, so the owner does not always know that logs are wanted. */
    @Override
    public boolean wantsLogs() {
      return clients.stream().anyMatch(client -> !client.gone()) && random.nextInt(4) > 0;
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
        return clients.stream().anyMatch(client -> !client.gone());
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

    /** A client with one subscription to heads and one to logs of an address. */
    private final class Client implements Subscription.Receiver {
      private final LogFilter filter =
          new LogFilter(Set.of(TestChain.address(random.nextInt(TestChain.ADDRESSES))), List.of());
      private final List<String> toldHeads = new ArrayList<>();
      private final List<String> toldLogs = new ArrayList<>();
      private Subscription heads;
      private Subscription logs;
      private long firstPosition;
      private boolean resumedAtUnknown;
      private boolean gone;

      Client() {
        firstPosition = stream.recent().position() + 1;
        heads = subscription(new Subscription.Kind.Heads(false), firstPosition);
        logs = subscription(new Subscription.Kind.Logs(filter, false), firstPosition);
      }

      private Subscription subscription(Subscription.Kind kind, long from) {
        Subscription made = new Subscription("0x1", CHAIN, kind, this, from, null);
        stream.add(made);
        stream.release(made, List.of());
        return made;
      }

      boolean gone() {
        return gone;
      }

      void leave() {
        if (!toldHeads.isEmpty()) {
          stream.remove(heads);
          stream.remove(logs);
          gone = true;
        }
      }

      /** Goes on with heads after the last block told; logs are not followed any more. */
      void resume() {
        List<StreamEvent> missed = stream.recent().after(toldHeads.getLast());
        if (missed == null) {
          resumedAtUnknown = true;
          return;
        }
        heads = new Subscription("0x2", CHAIN, heads.kind(), this, 0, null);
        stream.add(heads);
        stream.release(heads, missed);
        gone = false;
        logs = new Subscription("0x3", CHAIN, logs.kind(), this, 0, null);
      }

      void check() {
        assertThat(resumedAtUnknown).isFalse();
        List<String> heads = new ArrayList<>();
        List<String> logs = new ArrayList<>();
        Map<String, Long> addedAt = new HashMap<>();
        for (int i = 0; i < topic.size(); i++) {
          long position = i + 1L;
          switch (topic.get(i)) {
            case ChainEvent.BlockAdded added -> {
              addedAt.put(added.hash(), position);
              if (position >= firstPosition) {
                heads.add(added.hash());
                for (Bytes log : chain.logs(added.hash())) {
                  note(log, false, logs);
                }
              }
            }
            case ChainEvent.BlockRemoved removed -> {
              if (addedAt.getOrDefault(removed.hash(), 0L) >= firstPosition) {
                for (Bytes log : chain.logs(removed.hash()).reversed()) {
                  note(log, true, logs);
                }
              }
            }
            case ChainEvent.Gap _, ChainEvent.StreamStateChanged _ -> {}
          }
        }
        // one who left has been told the beginning of it
        assertThat(toldHeads).isEqualTo(gone ? heads.subList(0, toldHeads.size()) : heads);
        if (!gone && this.logs.id().equals("0x1")) {
          assertThat(toldLogs).isEqualTo(logs);
        }
      }

      private void note(Bytes json, boolean removed, List<String> into) {
        LogEntry log = LogEntry.read(json);
        if (log != null && filter.matches(log)) {
          into.add(named(new JsonObject(text(json)), removed));
        }
      }

      private static String named(JsonObject log, boolean removed) {
        return (removed ? "-" : "+") + log.getString("blockHash") + "/" + log.getString("logIndex");
      }

      private static String text(Bytes json) {
        return new String(json.toArray(), StandardCharsets.UTF_8);
      }

      @Override
      public void send(ByteBuf message) {
        JsonObject event =
            new JsonObject(message.toString(StandardCharsets.UTF_8))
                .getJsonObject("params")
                .getJsonObject("result");
        if (event.containsKey("logIndex")) {
          toldLogs.add(named(event, event.getBoolean("removed")));
        } else {
          toldHeads.add(event.getString("hash"));
        }
      }

      @Override
      public void abort(String reason) {
        throw new AssertionError(reason);
      }

      @Override
      public boolean strict() {
        return false;
      }
    }
  }
}
