package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A block that was written without logs because nobody wanted them, and is removed later; and
 * blocks that were written long before.
 */
class ChainFeedTest implements ChainFeed.Surroundings {
  private static final ChainId CHAIN = ChainId.of(1);
  private static final String HASH = TestChain.hash(1);
  private static final Bytes LOG =
      bytes(
          "{\"address\":\"%s\",\"topics\":[],\"blockHash\":\"%s\",\"logIndex\":\"0x0\",\"removed\":false}"
              .formatted(TestChain.address(0), HASH));

  private final List<StreamEvent> told = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private final ChainFeed feed = new ChainFeed(CHAIN, this, StreamSettings.DEFAULT, 0, told::add);
  private boolean wanted;
  private long nowMs;
  private int asked;
  private Found<List<Bytes>> answer = new Found.Nowhere<>();

  private static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  @BeforeEach
  void aBlockComesWhileNobodyWantsLogs() {
    feed.take(
        new ChainEvent.BlockAdded(
            CHAIN, 1, 0, 7, HASH, TestChain.hash(0), bytes("{}"), null, "node"));
    wanted = true;
  }

  private void remove() {
    feed.take(new ChainEvent.BlockRemoved(CHAIN, 2, 0, 7, HASH, TestChain.hash(0), null));
  }

  private @Nullable List<LogEntry> takenBack() {
    assertThat(told).hasSize(2);
    assertThat(told.getLast()).isInstanceOf(StreamEvent.Removed.class);
    return told.getLast() instanceof StreamEvent.Removed removed ? removed.logs() : null;
  }

  @Test
  void itsLogsAreFetchedToBeTakenBack() {
    answer = new Found.Here<>(List.of(LOG));
    remove();
    assertThat(takenBack())
        .singleElement()
        .satisfies(
            log ->
                assertThat(new String(log.json().toArray(), StandardCharsets.UTF_8))
                    .contains("\"removed\":true"));
  }

  @Test
  void theFeedThatFollowsGoesOnAndTheOldOneSaysNoMore() {
    answer = new Found.Unanswered<>("timeout");
    remove();
    assertThat(told).hasSize(1);
    ChainFeed next = new ChainFeed(CHAIN, this, StreamSettings.DEFAULT, feed.end(), told::add);
    answer = new Found.Here<>(List.of(LOG));
    later.removeFirst().run();
    next.take(
        new ChainEvent.BlockAdded(
            CHAIN, 1, 0, 8, TestChain.hash(8), HASH, bytes("{}"), List.of(), "node"));
    assertThat(told).extracting(StreamEvent::position).containsExactly(1L, 2L);
    assertThat(told.getLast())
        .isInstanceOfSatisfying(
            StreamEvent.Added.class, added -> assertThat(added.number()).isEqualTo(8));
  }

  @Test
  void providersThatForgotItHoldNothingUp() {
    remove();
    assertThat(takenBack()).isNull();
  }

  @Test
  void providersThatDoNotAnswerAreAskedAgain() {
    answer = new Found.Unanswered<>("timeout");
    remove();
    assertThat(told).hasSize(1);
    answer = new Found.Here<>(List.of(LOG));
    later.removeFirst().run();
    assertThat(takenBack()).hasSize(1);
  }

  @Test
  void nobodyIsAskedWhileLogsAreNotWanted() {
    wanted = false;
    answer = new Found.Here<>(List.of(LOG));
    remove();
    assertThat(takenBack()).isNull();
  }

  private static ChainEvent.BlockAdded block(int sequence, long atMs) {
    return new ChainEvent.BlockAdded(
        CHAIN,
        sequence,
        atMs,
        sequence,
        TestChain.hash(sequence),
        TestChain.hash(sequence - 1),
        bytes("{}"),
        null,
        "node");
  }

  @Test
  void historyIsTakenAsItWasWritten() {
    nowMs = 3_600_000;
    answer = new Found.Unanswered<>("timeout");
    told.clear();
    ChainFeed begun = new ChainFeed(CHAIN, this, StreamSettings.DEFAULT, 0, told::add);
    IntStream.rangeClosed(1, 1_000).forEach(i -> begun.take(block(i, i * 3_584L)));
    assertThat(told).hasSize(1_000);
    assertThat(asked).isZero();
  }

  @Test
  void blocksOfItsOwnTimeGetLogs() {
    nowMs = 3_600_000;
    answer = new Found.Here<>(List.of(LOG));
    told.clear();
    ChainFeed begun = new ChainFeed(CHAIN, this, StreamSettings.DEFAULT, 0, told::add);
    begun.take(block(1, nowMs - 15_001));
    begun.take(block(2, nowMs - 15_000));
    // written since, and not read for a long time because Kafka was away
    long writtenMs = nowMs + 1_000;
    nowMs += 3_600_000;
    begun.take(block(3, writtenMs));
    assertThat(told)
        .map(event -> event instanceof StreamEvent.Added added && added.logs() != null)
        .containsExactly(false, true, true);
    assertThat(asked).isEqualTo(2);
  }

  @Override
  public Future<Found<List<Bytes>>> logs(String hash, Bytes header) {
    asked++;
    return Future.succeededFuture(answer);
  }

  @Override
  public boolean wantsLogs() {
    return wanted;
  }

  @Override
  public long nowMs() {
    return nowMs;
  }

  @Override
  public void after(long delayMs, Runnable step) {
    later.add(step);
  }
}
