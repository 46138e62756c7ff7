package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.canonical.HeadEvent;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChainOutboxTest {
  private static final ChainId CHAIN = ChainId.of(1);
  private static final Bytes A_MEBIBYTE = Bytes.copyOf(new byte[1 << 20]);

  private final Map<String, List<Bytes>> logs = new HashMap<>();
  private final ChainOutbox outbox = new ChainOutbox(CHAIN, new Around(), 5_000, 0);

  private static HeadBlock block(int number) {
    return new HeadBlock(
        number, TestChain.hash(number), TestChain.hash(number - 1), Bytes.EMPTY, "node");
  }

  private List<ChainEvent> added(int number, List<Bytes> own) {
    logs.put(TestChain.hash(number), own);
    outbox.add(new HeadEvent.Added(block(number)), "");
    return outbox.takeReady();
  }

  private List<ChainEvent> removed(int number) {
    outbox.add(new HeadEvent.Removed(block(number)), "");
    return outbox.takeReady();
  }

  private static List<Bytes> mebibytes(int count) {
    return Collections.nCopies(count, A_MEBIBYTE);
  }

  private static Map<Long, Integer> logsByBlock(List<ChainEvent> events) {
    Map<Long, Integer> counts = new HashMap<>();
    for (ChainEvent event : events) {
      List<Bytes> own =
          switch (event) {
            case ChainEvent.BlockAdded added -> added.logs();
            case ChainEvent.BlockRemoved removed -> removed.logs();
            case ChainEvent.Gap _, ChainEvent.StreamStateChanged _ -> null;
          };
      counts.put(event.number(), own == null ? -1 : own.size());
    }
    return counts;
  }

  @Test
  void aBlockGoesOutWithItsLogs() {
    assertThat(logsByBlock(added(7, mebibytes(14)))).containsExactly(Map.entry(7L, 14));
    assertThat(logsByBlock(removed(7))).containsExactly(Map.entry(7L, 14));
  }

  @Test
  void logsThatNoRecordHoldsAreNotWritten() {
    assertThat(logsByBlock(added(7, mebibytes(17)))).containsExactly(Map.entry(7L, -1));
    assertThat(logsByBlock(added(8, mebibytes(1)))).containsExactly(Map.entry(8L, 1));
    assertThat(logsByBlock(removed(7))).containsExactly(Map.entry(7L, -1));
  }

  @Test
  void manySmallLogsTakeTheirPlacesToo() {
    List<Bytes> tiny = Collections.nCopies(2 << 20, Bytes.copyOf(new byte[] {'{', '}'}));
    assertThat(logsByBlock(added(7, tiny))).containsExactly(Map.entry(7L, -1));
  }

  @Test
  void logsKeptToBeTakenBackAreBoundedInBytes() {
    added(7, mebibytes(14));
    added(8, mebibytes(14));
    added(9, mebibytes(14));
    assertThat(logsByBlock(removed(9))).containsExactly(Map.entry(9L, 14));
    assertThat(logsByBlock(removed(8))).containsExactly(Map.entry(8L, 14));
    assertThat(logsByBlock(removed(7))).containsExactly(Map.entry(7L, -1));
  }

  private final class Around implements OwnedChain.Outside {
    @Override
    public Future<Found<HeadBlock>> block(String hash) {
      return Future.succeededFuture(new Found.Nowhere<>());
    }

    @Override
    public Future<Found<HeadBlock>> block(long number) {
      return Future.succeededFuture(new Found.Nowhere<>());
    }

    @Override
    public Future<Found<List<Bytes>>> logs(HeadBlock block) {
      return Future.succeededFuture(new Found.Here<>(logs.getOrDefault(block.hash(), List.of())));
    }

    @Override
    public boolean wantsLogs() {
      return true;
    }

    @Override
    public SubscriptionSettings settings() {
      return SubscriptionSettings.DEFAULT;
    }

    @Override
    public long nowMs() {
      return 0;
    }

    @Override
    public void later(Runnable step) {
      step.run();
    }
  }
}
